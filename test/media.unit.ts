import { stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import type { MediaType } from '../domain/core/platform.ts'
import { mediaSource } from '../platforms/kit/media-spool.ts'
import { outboundPolicy } from '../infra/http/outbound-guard.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { sample } from './support/media-samples.ts'
import { files, refusedWith, scene, serving } from './support/media-scene.ts'
import { client, closedPort, httpServer, rawServer, until } from './support/outbound-servers.ts'

t.test('media are fetched, probed, read as often as needed, and deleted', async (t) => {
  const content = sample('clip-turned.mov')
  const { directory, spool } = await scene(t, serving(content))
  const media = await spool('video')
  t.same(media.facts, {
    mediaType: 'video',
    mimeType: 'video/quicktime',
    bytes: content.length,
    width: 48,
    height: 64,
    durationMs: 1200,
    fps: 5,
    videoCodec: 'h264',
  })
  t.same(await buffer(media.open()), content)
  t.same(await buffer(media.open()), content, 'again from its start')
  t.same(Buffer.from(await media.bytes()), content)
  await media.dispose()
  await media.dispose()
  t.same(await files(directory), [])
})

t.test('when a file is disposed of before a stream of it was read, then nothing but that stream fails', async (t) => {
  const { spool } = await scene(t, serving(sample('picture.png')))
  const media = await spool()
  await media.dispose()
  // Nobody reads it: an error that nobody listens to would end the process, and tap fails the test.
  const unread = media.open()
  await new Promise((resolve) => unread.on('close', resolve))
  await t.rejects(buffer(media.open()), { code: 'ENOENT' })
})

t.test('the file is for this user alone, under a name that can’t be guessed', async (t) => {
  const { directory, spool } = await scene(t, serving(sample('picture.png')))
  const all = await Promise.all([spool(), spool(), spool()])
  const names = await files(directory)
  t.equal(new Set(names).size, 3)
  t.equal((await stat(directory)).mode & 0o777, 0o700)
  for (const name of names) {
    t.match(name, /[0-9a-f-]{36}/)
    t.equal((await stat(join(directory, name))).mode & 0o777, 0o600)
  }
  await Promise.all(all.map((media) => media.dispose()))
})

t.test('media of another type is refused permanently, naming both types', async (t) => {
  const table: readonly (readonly [MediaType, Buffer, string])[] = [
    ['video', sample('picture.png'), 'the media is an image (image/png), but a video was expected'],
    ['image', sample('clip.mp4'), 'the media is a video (video/mp4), but an image was expected'],
    [
      'image',
      Buffer.from('<!doctype html><title>Sign in</title>'),
      'the media is a web page, but an image was expected',
    ],
    ['video', Buffer.from('not here'), 'the media is a text file, but a video was expected'],
    ['video', sample('sound.mp3'), 'the media is an audio file (audio/mpeg), but a video was expected'],
    ['image', Buffer.alloc(0), 'the media is an empty file, but an image was expected'],
    [
      'image',
      sample('picture.jpg').subarray(0, 200),
      'the media is a damaged image (image/jpeg), but an image was expected',
    ],
  ]
  for (const [asked, content, message] of table) {
    const { refusal } = await scene(t, (_request, response) => {
      response.writeHead(200, { 'content-type': asked === 'image' ? 'image/jpeg' : 'video/mp4' }).end(content)
    })
    t.match(await refusal(asked), { kind: 'permanent', message })
  }
})

t.test('its host’s answer decides whether another try makes sense', async (t) => {
  const table: readonly (readonly [number, 'permanent' | 'retryable'])[] = [
    ...([400, 401, 403, 404, 410, 451, 204, 206, 304] as const).map((status) => [status, 'permanent'] as const),
    ...([408, 425, 429, 500, 502, 503, 504] as const).map((status) => [status, 'retryable'] as const),
  ]
  for (const [status, kind] of table) {
    const { refusal } = await scene(t, (_request, response) => response.writeHead(status).end())
    t.match(await refusal(), {
      kind,
      message: new RegExp(`^the media's host returned HTTP ${status}`),
      retryAfterMs: undefined,
    })
  }
  for (const [header, least, most] of [
    ['7', 7000, 7000],
    [new Date(Date.now() + 60_000).toUTCString(), 50_000, 60_000],
  ] as const) {
    const { refusal } = await scene(t, (_request, response) => response.writeHead(503, { 'retry-after': header }).end())
    const { retryAfterMs = -1 } = await refusal()
    t.ok(retryAfterMs >= least && retryAfterMs <= most, `${header}: ${retryAfterMs}`)
  }
})

t.test('three redirects are followed, the fourth is too many', async (t) => {
  const { media, server } = await scene(t, (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
    else response.end(sample('picture.png'))
  })
  const want = { mediaType: 'image', maxBytes: 1_000_000 } as const
  const { signal } = new AbortController()
  await (await media.spool(`${server.url}/3`, want, signal)).dispose()
  t.match(await refusedWith(media.spool(`${server.url}/4`, want, signal)), {
    kind: 'permanent',
    message: /302: too many redirects/,
  })
})

t.test('a host that can’t be reached or breaks off is tried again, a refused address is not', async (t) => {
  const { media } = await scene(t, () => {})
  const broken = await rawServer(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\nhalf'))
  const reset = await rawServer(t, (socket) => socket.resetAndDestroy())
  const down = `http://127.0.0.1:${await closedPort()}/`
  const want = { mediaType: 'image', maxBytes: 1_000_000 } as const
  const { signal } = new AbortController()
  for (const url of [broken.url, reset.url, down]) {
    const error = await refusedWith(media.spool(url, want, signal))
    t.match(error, { kind: 'retryable', message: /^the media could not be fetched: / })
  }
  const guarded = mediaSource({
    http: client(t, { policy: outboundPolicy('') }),
    clock: systemClock,
    directory: t.testdir(),
  })
  for (const url of [broken.url, 'http://169.254.169.254/latest', 'http://[::1]/a.png', 'ftp://a.test/x', 'nonsense']) {
    const error = await refusedWith(guarded.spool(url, want, signal))
    t.match(error, { kind: 'permanent', message: /^the media URL is not allowed: / }, url)
  }
})

t.test('a signal ends it in the middle, and leaves nothing', async (t) => {
  const stop = new AbortController()
  const { refusal, server, directory } = await scene(t, (_request, response) => {
    response.write(sample('picture.png'))
  })
  const work = refusal('image', 8_000_000, stop.signal)
  await until(() => server.open() === 1)
  stop.abort()
  t.match(await work, { kind: 'retryable', message: /cancelled by the caller/ })
  await until(() => server.open() === 0)
  t.same(await files(directory), [])
})

t.test('a folder that can’t be written to is a passing fault, not the caller’s', async (t) => {
  const server = await httpServer(t, serving(sample('picture.png')))
  const directory = join(t.testdir({ file: '' }), 'file')
  const media = mediaSource({ http: client(t), clock: systemClock, directory })
  const want = { mediaType: 'image', maxBytes: 1_000_000 } as const
  const error = await refusedWith(media.spool(server.url, want, new AbortController().signal))
  t.match(error, { kind: 'retryable', message: 'the media could not be stored while it was being fetched' })
})

t.test('what a killed process left is swept away, and nothing else', async (t) => {
  const { directory, media, spool } = await scene(t, serving(sample('picture.png')))
  t.equal(await media.sweep(0), 0, 'no folder yet')
  const inUse = await spool()
  const left = 'fanfare-00000000-0000-4000-8000-000000000000.media'
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of [left, 'somebody-else.txt', 'fanfare-notes.media']) {
    await writeFile(join(directory, name), 'x')
    await utimes(join(directory, name), hourAgo, hourAgo)
  }
  t.equal(await media.sweep(2 * 3_600_000), 0)
  t.equal(await media.sweep(600_000), 1)
  const names = await files(directory)
  t.equal(names.includes(left), false)
  t.equal(names.length, 3)
  t.same(Buffer.from(await inUse.bytes()), sample('picture.png'))
  await inUse.dispose()
})
