import { pipeline, Readable } from 'node:stream'
import t from 'tap'
import { mediaSource } from '../platforms/media-spool.ts'
import { systemClock } from '../system/clock.ts'
import { sample } from './support/media-samples.ts'
import { refusedWith, scene, serving } from './support/media-scene.ts'
import { client, rawServer, until } from './support/outbound-servers.ts'

t.test('media beyond the limit are refused by what their host says, before any of it is read', async (t) => {
  let written = 0
  const { refusal, server } = await scene(t, (_request, response) => {
    response.socket?.once('close', () => (written = response.socket?.bytesWritten ?? written))
    response.writeHead(200, { 'content-length': 612_345_678 })
    pipeline(zeros(612_345_678), response, () => {})
  })
  t.match(await refusal('video', 512_000_000), {
    kind: 'permanent',
    message: 'the video is too large: 612.3 MB, where 512 MB is the most',
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
  t.match(message, /^the image is too large: 8\.\d+ MB, where 8 MB is the most$/)
  await until(() => server.open() === 0)
})

t.test('exactly the limit is taken, and one byte more is told apart', async (t) => {
  const content = Buffer.concat([sample('picture.png'), Buffer.alloc(2_000_000)])
  const { spool, refusal } = await scene(t, serving(content))
  const media = await spool('image', content.length)
  t.equal(media.facts.bytes, content.length)
  await media.dispose()
  t.match(await refusal('image', content.length - 1), {
    kind: 'permanent',
    message: 'the image is too large: 2.000469 MB, where 2.000468 MB is the most',
  })
})

t.test('a host that drips is given time by the size allowed, and no more', async (t) => {
  const slept: number[] = []
  const clock = {
    now: () => Date.now(),
    sleep: (ms: number, signal?: AbortSignal): Promise<void> => {
      slept.push(ms)
      return systemClock.sleep(ms > 5_000 ? 100 : ms, signal)
    },
  }
  const server = await rawServer(t, (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  const media = mediaSource({ http: client(t, { clock }), clock, directory: t.testdir() })
  const want = { mediaType: 'video', maxBytes: 500_000_000 } as const
  const error = await refusedWith(media.spool(server.url, want, new AbortController().signal))
  t.match(error, { kind: 'retryable', message: /no complete answer within 1030000 ms/ })
  t.ok(slept.includes(1_030_000))
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
