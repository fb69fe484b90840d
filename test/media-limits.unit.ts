import { pipeline, Readable } from 'node:stream'
import t from 'tap'
import { startPace } from '../platforms/kit/media-pace.ts'
import { mediaSource } from '../platforms/kit/media-spool.ts'
import { spoolRoom } from '../platforms/kit/spool-room.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { sample } from './support/media-samples.ts'
import { refusedWith, scene, serving } from './support/media-scene.ts'
import { client, rawServer, until } from './support/outbound-servers.ts'
import { virtualClock } from './support/virtual-clock.ts'

t.test('media beyond the limit are refused by what their host says, before any of it is read', async (t) => {
  let written = 0
  const { refusal, server } = await scene(t, (_request, response) => {
    response.socket?.once('close', () => (written = response.socket?.bytesWritten ?? written))
    response.writeHead(200, { 'content-length': 612_345_678 })
    pipeline(zeros(612_345_678), response, () => {})
  })
  t.match(await refusal('video', 512_000_000), {
    kind: 'permanent',
    message: 'the video is too large: 612.3 MB, but the limit is 512 MB',
  })
  await until(() => server.open() === 0)
  t.ok(written < 20_000_000)
})

t.test('media beyond the limit are refused by count when their host does not say', async (t) => {
  const { refusal, server } = await scene(t, (_request, response) => {
    response.write(sample('picture.png'))
    pipeline(zeros(50_000_000), response, () => {})
  })
  const { kind, message } = await refusal('image', 8_000_000)
  t.equal(kind, 'permanent')
  t.match(message, /^the image is too large: 8\.\d+ MB, but the limit is 8 MB$/)
  await until(() => server.open() === 0)
})

t.test('exactly the limit is accepted, and one byte more is not', async (t) => {
  const content = Buffer.concat([sample('picture.png'), Buffer.alloc(2_000_000)])
  const { spool, refusal } = await scene(t, serving(content))
  const media = await spool('image', content.length)
  t.equal(media.facts.bytes, content.length)
  await media.dispose()
  t.match(await refusal('image', content.length - 1), {
    kind: 'permanent',
    message: 'the image is too large: 2.000469 MB, but the limit is 2.000468 MB',
  })
})

for (const { host, answer, message } of [
  { host: 'takes the request and is silent', answer: '', message: /sent nothing within 15 s/ },
  { host: 'sends its headers and is silent', answer: 'HTTP/1.1 200 OK\r\n\r\n', message: /sent nothing within 15 s/ },
  { host: 'drips', answer: 'HTTP/1.1 200 OK\r\n\r\nx', message: /less than 64 kB per second/ },
]) {
  t.test(`given a media host that ${host}, then it is given up long before the time for a large file`, async (t) => {
    const clock = virtualClock()
    const server = await rawServer(t, (socket) => socket.write(answer))
    const media = mediaSource({ http: client(t), clock, directory: t.testdir() })
    const want = { mediaType: 'video', maxBytes: 500_000_000 } as const
    const refused = refusedWith(media.spool(server.url, want, new AbortController().signal))
    let given = false
    void refused.then(() => (given = true))
    const from = clock.now()
    await until(() => server.open() === 1)
    while (!given) {
      await clock.advanceTo(clock.now() + 100)
      await systemClock.sleep(0)
    }
    t.match(await refused, { kind: 'retryable', message })
    t.ok(clock.now() - from <= 31_000, `after ${clock.now() - from} ms`)
  })
}

t.test('given a media host that is slow but steady, then it is not given up', async (t) => {
  const clock = virtualClock()
  const pace = startPace(clock, new AbortController().signal)
  for (let seconds = 0; seconds < 600; seconds += 1) {
    pace.count(64_000)
    await clock.advanceTo(clock.now() + 1_000)
  }
  t.equal(pace.failure, undefined)
  await clock.advanceTo(clock.now() + 16_000)
  t.match(pace.failure, { message: /less than 64 kB per second/ }, 'until it stops')
  pace.end()
})

const MB = 1_000_000

/** @param free bytes on the disk */
function givenRoom(free = 1_000 * MB, maxBytes = 100 * MB) {
  const disk = { free }
  const room = spoolRoom({ directory: '/', maxBytes, minFreeBytes: 100 * MB, freeBytes: async () => disk.free })
  return { disk, room }
}

t.test('given a file beyond the share of its workspace, then it is refused before any of it is read', async (t) => {
  let written = 0
  const { room } = givenRoom()
  const { refusal, server } = await scene(
    t,
    (_request, response) => {
      response.socket?.once('close', () => (written = response.socket?.bytesWritten ?? written))
      response.writeHead(200, { 'content-length': 200 * MB })
      pipeline(zeros(200 * MB), response, () => {})
    },
    room,
  )
  t.match(await refusal('video', 512 * MB), {
    kind: 'permanent',
    message: 'the media is too large for this server: 200 MB, but MEDIA_IN_TRANSIT_MAX allows a workspace 25 MB',
  })
  await until(() => server.open() === 0)
  t.ok(written < 20 * MB)
})

t.test(
  'given a file of unknown size, then it is cut off where its share ends, and the share is released',
  async (t) => {
    const { room } = givenRoom()
    const endless = await scene(t, (_request, response) => void pipeline(zeros(60 * MB), response, () => {}), room)
    t.match(await endless.refusal('video', 512 * MB), { kind: 'permanent', message: /too large for this server/ })
    await room.open('').reserve(25 * MB)
  },
)

t.test('given a workspace that holds its share, then it waits, and others do not', async (t) => {
  const { room, disk } = givenRoom()
  const held = [room.open('a'), room.open('a'), room.open('a')]
  for (const one of held) await one.reserve(8 * MB)
  await t.rejects(room.open('a').reserve(8 * MB), {
    kind: 'retryable',
    message: /the workspace is using its full share/,
  })
  for (const workspace of ['b', 'c', 'd']) await room.open(workspace).reserve(25 * MB)
  await t.rejects(room.open('e').reserve(8 * MB), { kind: 'retryable', message: /other media are being fetched/ })
  held[0]?.release()
  held[0]?.release()
  await room.open('a').reserve(8 * MB)
  disk.free = 105 * MB
  held[1]?.release()
  await t.rejects(room.open('a').reserve(8 * MB), { kind: 'retryable', message: /the disk is nearly full/ })
})

t.test('given a disk with little left, then media take at most half of it', async (t) => {
  const { room } = givenRoom(240 * MB, 1_000 * MB)
  await room.open('a').reserve(25 * MB)
  for (const workspace of ['b', 'c', 'd']) await room.open(workspace).reserve(25 * MB)
  await t.rejects(room.open('a').reserve(60 * MB), { kind: 'retryable', message: /no room for the media/ })
})

t.test('200 MB go to disk without going through memory', async (t) => {
  const bytes = 200_000_000
  const clip = sample('clip.mp4')
  const index = clip.subarray(clip.indexOf('moov') - 4)
  const brand = clip.subarray(0, clip.readUInt32BE(0))
  const head = Buffer.concat([brand, Buffer.alloc(4), Buffer.from('mdat')])
  head.writeUInt32BE(bytes + 8, brand.length)
  const { spool } = await scene(t, (_request, response) => {
    response.write(head)
    const data = zeros(bytes)
    data.pipe(response, { end: false })
    data.once('end', () => response.end(index))
  })
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10)
  t.teardown(() => clearInterval(timer))
  const media = await spool('video', 512_000_000)
  t.match(media.facts, { bytes: head.length + bytes + index.length, width: 64, durationMs: 1200 })
  let read = 0
  for await (const chunk of media.open()) read += chunk.length
  t.equal(read, media.facts.bytes)
  clearInterval(timer)
  const growth = Math.round((peak - before) / 1e6)
  t.ok(growth < 100, `grew by ${growth} MB at most`)
  await media.dispose()
})

function zeros(bytes: number): Readable {
  const block = Buffer.alloc(65_536)
  let left = bytes
  return new Readable({
    read() {
      const next = block.subarray(0, Math.min(left, block.length))
      left -= next.length
      this.push(next.length > 0 ? next : null)
    },
  })
}
