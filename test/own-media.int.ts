import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { fileStore } from '../infra/media/file-store.ts'
import { mediaName } from '../infra/media/media-name.ts'
import { mediaUrl } from '../infra/media/media-url.ts'
import { ownMedia } from '../infra/media/own-media.ts'
import { s3Store } from '../infra/media/s3-store.ts'
import type { MediaStore } from '../infra/media/store.ts'
import { mediaSource, type MediaSourceOptions } from '../platforms/kit/media-spool.ts'
import { outboundPolicy } from '../infra/http/outbound-guard.ts'
import { systemClock, type Clock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { envelope } from './support/api-answer.ts'
import { givenApi } from './support/api.ts'
import { sample } from './support/media-samples.ts'
import { files, refusedWith } from './support/media-scene.ts'
import { client, closedPort, until } from './support/outbound-servers.ts'
import {
  ACCESS_KEY_ID,
  BUCKET,
  refuse,
  REGION,
  s3Server,
  SECRET_ACCESS_KEY,
  type S3Server,
} from './support/s3-server.ts'

const SECRET = Buffer.alloc(32, 5)
const BASE = 'http://127.0.0.1:3000'
const NAME = mediaName(SECRET, ['vid_1', 0], 'mp4')
const SOUND = mediaName(SECRET, ['vid_1', 'voiceover'], 'wav')
const EMPTY = mediaName(SECRET, ['vid_1', 'empty'], 'mp3')
const NOBODY = mediaName(SECRET, ['vid_2', 0], 'mp4')
const CONTENT = '0123456789'
const { signal } = new AbortController()

async function givenFiles(t: Test): Promise<MediaStore> {
  const store = fileStore({ directory: join(t.testdir(), 'media'), clock: systemClock })
  await keep(store, NAME, CONTENT)
  await keep(store, SOUND, 'la la la')
  await keep(store, EMPTY, '')
  return store
}

function keep(store: MediaStore, name: string, content: string | Buffer): Promise<void> {
  const bytes = Buffer.from(content)
  return store.put(name, { bytes: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) }, signal)
}

const unhurried: Clock = { now: systemClock.now, sleep: async () => undefined }

function bucketAt(t: Test, url: string): MediaStore {
  const keys = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY }
  const bucket = { bucketUrl: `${url}/${BUCKET}`, region: REGION, ...keys }
  return s3Store(bucket, { http: client(t), clock: unhurried })
}

/** Counted as it is read. */
function zeros(bytes: number, onPiece: (bytes: number) => void): Readable {
  function* pieces(): Generator<Buffer> {
    const piece = Buffer.alloc(65_536)
    for (let left = bytes; left > 0; left -= piece.length) {
      onPiece(piece.length)
      yield piece.subarray(0, left)
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}

const LARGE = 100_000_000

/** A large file that the bucket hands out as fast as it is taken. */
function handOutLarge(server: S3Server, onPiece: (bytes: number) => void): void {
  server.next(
    (_request, response) => response.writeHead(200, { etag: '"large"', 'content-length': LARGE }).end(),
    (_request, response) => {
      response.writeHead(200, { etag: '"large"', 'content-length': LARGE })
      pipeline(zeros(LARGE, onPiece), response).catch(() => undefined)
    },
  )
}

t.test('given files in the media store of a service', async (t) => {
  const mediaStore = await givenFiles(t)
  const { app } = await givenApi(t, { mediaStore, projecting: false })
  const path = (name: string): string => `/media/${name}`
  const ask = (headers: Readonly<Record<string, string>> = {}, name = NAME, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: path(name), headers: { ...headers } })
  const etag = (await mediaStore.find(NAME, signal))?.etag ?? ''

  await t.test('when one is requested, then anyone gets it, with its own type', async (t) => {
    const answer = await ask()
    t.equal(answer.statusCode, 200)
    t.equal(answer.payload, CONTENT)
    t.match(answer.headers, {
      etag,
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=3600',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    })
    t.match((await ask({}, SOUND)).headers, { 'content-type': 'audio/wav', 'content-length': '8' })
    const empty = await ask({}, EMPTY)
    t.match(empty, { statusCode: 200, payload: '', headers: { 'content-type': 'audio/mpeg', 'content-length': '0' } })
    t.equal((await app.inject(`${path(NAME)}?download=1`)).payload, CONTENT)
  })

  await t.test('when only its head is asked for, then it is the same but for the body, ranges or not', async (t) => {
    const { headers } = await ask()
    for (const more of [{}, { range: 'bytes=2-3' }, { range: 'bytes=99-' }]) {
      const answer = await ask(more, NAME, 'HEAD')
      t.same([answer.statusCode, answer.payload], [200, ''])
      for (const name of ['etag', 'content-type', 'content-length', 'accept-ranges', 'cache-control'] as const) {
        t.equal(answer.headers[name], headers[name], name)
      }
      t.equal(answer.headers['content-range'], undefined)
    }
    t.match(await ask({}, NOBODY, 'HEAD'), { statusCode: 404, payload: '' })
  })

  await t.test('when a range is asked for, then it is answered as RFC 9110 says', async (t) => {
    const table: readonly (readonly [Readonly<Record<string, string>>, number, string, string | undefined])[] = [
      [{ range: 'bytes=0-0' }, 206, '0', 'bytes 0-0/10'],
      [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
      [{ range: 'Bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
      [{ range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
      [{ range: 'bytes=7-99' }, 206, '789', 'bytes 7-9/10'],
      [{ range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
      [{ range: 'bytes=-99' }, 206, CONTENT, 'bytes 0-9/10'],
      [{ range: 'bytes=0-9' }, 206, CONTENT, 'bytes 0-9/10'],
      [{ range: 'bytes=10-' }, 416, '', 'bytes */10'],
      [{ range: 'bytes=99999999999999999999-' }, 416, '', 'bytes */10'],
      [{ range: 'bytes=-0' }, 416, '', 'bytes */10'],
      [{ range: 'bytes=5-2' }, 200, CONTENT, undefined],
      [{ range: 'bytes=-' }, 200, CONTENT, undefined],
      [{ range: 'bytes=a-b' }, 200, CONTENT, undefined],
      [{ range: 'items=0-1' }, 200, CONTENT, undefined],
      [{ range: 'bytes=0-1,4-5' }, 200, CONTENT, undefined],
      [{ range: 'bytes=2-4', 'if-range': etag }, 206, '234', 'bytes 2-4/10'],
      [{ range: 'bytes=2-4', 'if-range': '"another"' }, 200, CONTENT, undefined],
      [{ range: 'bytes=2-4', 'if-range': `W/${etag}` }, 200, CONTENT, undefined],
      [{ range: 'bytes=2-4', 'if-range': new Date(0).toUTCString() }, 200, CONTENT, undefined],
      [{ range: 'bytes=99-', 'if-range': '"another"' }, 200, CONTENT, undefined],
    ]
    for (const [headers, status, payload, contentRange] of table) {
      const answer = await ask(headers)
      t.same([answer.statusCode, answer.payload], [status, payload], inspect(headers))
      t.equal(answer.headers['content-range'], contentRange)
      t.equal(answer.headers['content-length'] ?? '0', String(payload.length))
    }
    t.match(await ask({ range: 'bytes=0-' }, EMPTY), { statusCode: 416, headers: { 'content-range': 'bytes */0' } })
  })

  await t.test('when there is a condition, then it is kept', async (t) => {
    const table: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': `"a", "b,c" , ${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"another"' }, 200],
      [{ 'if-none-match': etag.replaceAll('"', '') }, 200],
      [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
      [{ 'if-match': etag }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': `W/${etag}` }, 412],
      [{ 'if-match': '"another"' }, 412],
      [{ 'if-match': '"another"', 'if-none-match': etag }, 412],
    ]
    for (const [headers, status] of table) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await ask(headers, NAME, method)
        t.equal(answer.statusCode, status, inspect(headers))
        if (status !== 200) t.equal(answer.payload, '')
        if (status === 304) t.match(answer.headers, { etag, 'cache-control': /max-age/, 'content-length': undefined })
      }
    }
  })

  await t.test('when there is no such file, then 404 in the envelope, whatever the name', async (t) => {
    const names = [NOBODY, 'x', 'a.mp4', NAME.toUpperCase(), `${NAME}.part`, '..%2F..%2Fencryption.key', '%00']
    for (const name of names) {
      const answer = await ask({}, name)
      t.equal(answer.statusCode, 404, name)
      t.match(envelope.parse(answer.json()), {
        error: { code: 'not_found', requestId: answer.headers['x-request-id'] },
      })
    }
    for (const url of ['/media', '/media/', `/media/x/${NAME}`]) t.equal((await app.inject(url)).statusCode, 404, url)
  })

  await t.test('when it is written to, then 405 names the allowed methods', async (t) => {
    for (const method of ['PUT', 'POST', 'DELETE', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url: path(NAME) })
      t.match(answer, { statusCode: 405, headers: { allow: 'GET, HEAD' } })
    }
  })
})

t.test('given a service whose media are in a bucket', async (t) => {
  const server = await s3Server(t)
  const logged: string[] = []
  const logger = createLogger('info', { write: (line) => void logged.push(line) })
  const api = await givenApi(t, { mediaStore: bucketAt(t, server.url), projecting: false })
  const { app } = await api.server({ logger })
  const http = client(t)
  const url = `http://127.0.0.1:${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}/media/${NAME}`

  await t.test('when a file is there, then it is handed through, or a part of it', async (t) => {
    server.keep(NAME, Buffer.from(CONTENT))
    t.equal((await http.request(url)).text(), CONTENT)
    const part = await http.request(url, { headers: { range: 'bytes=3-5' } })
    t.same([part.status, part.text()], [206, '345'])
  })

  await t.test(
    'when the bucket fails, then 503 in the envelope says when to come again, and the log why',
    async (t) => {
      const denied = refuse(403, 'AccessDenied')
      const failing = {
        'the look': [denied, denied],
        'the opening': [(): void => undefined, denied],
      }
      for (const [what, [first = denied, second = denied]] of Object.entries(failing)) {
        logged.length = 0
        if (what === 'the look') server.next(first, second)
        else
          server.next(
            (_request, response) => response.writeHead(200, { etag: '"a"', 'content-length': 9 }).end(),
            second,
          )
        const answer = await http.request(url)
        t.same([answer.status, answer.headers['retry-after']], [503, '10'], what)
        t.match(envelope.parse(answer.json()), {
          error: { code: 'internal_error', message: /^The file could not be read\. Try again later/ },
        })
        t.equal(answer.headers['cache-control'], 'no-store')
        t.equal(answer.headers['etag'], undefined)
        t.match(logged, [/it denied access/])
        t.notMatch(logged.join(), SECRET_ACCESS_KEY)
      }
      const gone = await api.server({ mediaStore: bucketAt(t, `http://127.0.0.1:${await closedPort()}`) })
      t.match(await gone.app.inject(`/media/${NAME}`), { statusCode: 503, headers: { 'retry-after': '10' } })
    },
  )

  await t.test('when the bucket breaks off half-way, then so does the answer', async (t) => {
    server.keep(NAME, Buffer.from(CONTENT))
    server.next(
      (_request, response) => response.writeHead(200, { etag: '"a"', 'content-length': 10 }).end(),
      (_request, response) => {
        response.writeHead(200, { etag: '"a"', 'content-length': 10 })
        response.write('01', () => response.destroy())
      },
    )
    await t.rejects(http.request(url), /was lost/)
    t.equal((await http.request(url)).text(), CONTENT, 'the next one is whole')
  })

  await t.test('when a client is slow, then only what it takes is fetched; when it leaves, nothing is', async (t) => {
    let fetched = 0
    handOutLarge(server, (bytes) => (fetched += bytes))
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(`GET /media/${NAME} HTTP/1.1\r\nHost: fanfare.test\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const taken = await settled(() => fetched)
    t.ok(taken < LARGE / 2, `${taken} bytes fetched`)
    const open = server.open()
    socket.destroy()
    await until(() => server.open() < open)
    t.ok(fetched < LARGE / 2)
  })

  await t.test('when a client has left before the bucket answers, then that is no failure', async (t) => {
    logged.length = 0
    const stopping = new AbortController()
    let asked = false
    server.next(() => (asked = true))
    const asking = http.request(url, { signal: stopping.signal }).catch(() => undefined)
    await until(() => asked)
    const open = server.open()
    stopping.abort()
    await asking
    await until(() => server.open() < open)
    t.same(logged, [])
  })

  await t.test('when the service stops, then it does not wait for a client that takes its time', async (t) => {
    // Five seconds of patience are as good as a few milliseconds here.
    const hasty: Clock = {
      now: systemClock.now,
      sleep: (ms, until) => systemClock.sleep(ms === 5_000 ? 20 : ms, until),
    }
    const stopping = await api.server({ clock: hasty })
    const port = await stopping.listen()
    handOutLarge(server, () => undefined)
    const socket = connect(port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write(`GET /media/${NAME} HTTP/1.1\r\nHost: fanfare.test\r\n\r\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    await stopping.app.close()
    socket.resume()
    await closed
    t.ok(socket.bytesRead < LARGE)
  })
})

async function settled(count: () => number): Promise<number> {
  let before = -1
  let same = 0
  await until(() => {
    same = count() === before ? same + 1 : 0
    before = count()
    return same > 20
  }, 20_000)
  return before
}

t.test('given a post whose media the service made itself', async (t) => {
  const clip = sample('clip.mp4')
  const policy = outboundPolicy('')
  const want = { mediaType: 'video', maxBytes: 1_000_000 } as const
  const spoolOf = (
    t: Test,
    store: MediaStore,
    base = BASE,
    own: MediaSourceOptions['own'] = ownMedia(store, () => base),
  ) => {
    const directory = join(t.testdirName, 'spool')
    const source = mediaSource({
      http: client(t, { policy }),
      clock: systemClock,
      directory,
      own,
    })
    return { ...source, directory }
  }
  const givenStore = async (t: Test): Promise<MediaStore> => {
    const store = fileStore({ directory: join(t.testdir(), 'media'), clock: systemClock })
    await keep(store, NAME, clip)
    await keep(store, SOUND, sample('sound.mp3'))
    return store
  }

  await t.test('when it is on a private network, then the media come from the store, and are probed', async (t) => {
    for (const base of [BASE, 'https://fanfare.invalid/below']) {
      const source = spoolOf(t, await givenStore(t), base)
      const media = await source.spool(mediaUrl(base, NAME), want, signal)
      t.match(media.facts, { mimeType: 'video/mp4', bytes: clip.length, width: 64, height: 48, durationMs: 1200 })
      t.same(Buffer.from(await media.bytes()), clip)
      await media.dispose()
      t.same(await files(source.directory), [])
    }
  })

  await t.test('when it can’t be had, then the reason says whether another try makes sense', async (t) => {
    const store = await givenStore(t)
    const source = spoolOf(t, store)
    const refusal = async (name: string, more: object = {}) => {
      const error = await refusedWith(source.spool(mediaUrl(BASE, name), { ...want, ...more }, signal))
      t.same(await files(source.directory), [], 'no file is left')
      return error
    }
    const exact = await source.spool(mediaUrl(BASE, NAME), { ...want, maxBytes: clip.length }, signal)
    await exact.dispose()
    t.match(await refusal(NAME, { maxBytes: clip.length - 1 }), {
      kind: 'permanent',
      message: /^the video is too large/,
    })
    t.match(await refusal(NOBODY), {
      kind: 'permanent',
      message: /is gone: this service no longer has a file at this URL/,
    })
    t.match(await refusal(NAME, { mediaType: 'image' }), { kind: 'permanent', message: /but an image was expected/ })
    t.match(await refusal(SOUND), { kind: 'permanent', message: /^the media is an audio file/ })
    const spooling = source.spool(mediaUrl(BASE, NAME), want, AbortSignal.abort())
    t.match(await refusedWith(spooling), { kind: 'retryable' })

    const stopping = new AbortController()
    const stopsReader: MediaSourceOptions['own'] = async (url, until) => {
      const found = await ownMedia(store, () => BASE)(url, until)
      if (found === undefined || typeof found === 'string') return found
      const open = async (part: undefined, reading: AbortSignal) => {
        const content = await found.open(part, reading)
        stopping.abort()
        return content
      }
      return { bytes: found.bytes, open }
    }
    const stopped = spoolOf(t, store, BASE, stopsReader)
    const reading = stopped.spool(mediaUrl(BASE, NAME), want, stopping.signal)
    t.match(await refusedWith(reading), { kind: 'retryable', message: /cancelled by the caller/ })
    t.same(await files(stopped.directory), [])
  })

  await t.test('when the store fails, then another try makes sense, and its words stay inside', async (t) => {
    t.testdir()
    const server = await s3Server(t)
    const source = spoolOf(t, bucketAt(t, server.url))
    const denied = refuse(403, 'AccessDenied')
    server.next(denied, denied)
    const spool = () => source.spool(mediaUrl(BASE, NAME), want, signal)
    t.match(await refusedWith(spool()), {
      kind: 'retryable',
      message: /could not be read from the service's own store$/,
    })
    server.next(
      (_request, response) => response.writeHead(200, { etag: '"a"', 'content-length': clip.length }).end(),
      (_request, response) => {
        response.writeHead(200, { etag: '"a"', 'content-length': clip.length })
        response.write(clip.subarray(0, 100), () => response.destroy())
      },
    )
    t.match(await refusedWith(spool()), { kind: 'retryable', message: /could not be fetched/ })
    const found = clip.length
    server.next((_request, response) => response.writeHead(200, { etag: '"a"', 'content-length': found }).end(), denied)
    t.match(await refusedWith(spool()), {
      kind: 'retryable',
      message: /could not be read from the service's own store$/,
    })
    t.same(await files(source.directory), [])
    server.keep(NAME, clip)
    const before = server.calls.length
    const small = source.spool(mediaUrl(BASE, NAME), { ...want, maxBytes: clip.length - 1 }, signal)
    t.match(await refusedWith(small), { kind: 'permanent', message: /too large/ })
    t.same(server.calls.slice(before), [`HEAD ${NAME}`], 'what is too large is not begun')
    const media = await spool()
    t.equal(media.facts.bytes, clip.length)
    await media.dispose()
  })

  await t.test('when the URL only looks like ours, then it is fetched, and the guard refuses it', async (t) => {
    const source = spoolOf(t, await givenStore(t))
    const others = [`${BASE}/v1/posts`, `http://127.0.0.1:3001/media/${NAME}`, `http://localhost:3000/media/${NAME}`]
    for (const url of [...others, `${BASE}/media/${NAME}/../../readyz`]) {
      const error = await refusedWith(source.spool(url, want, signal))
      t.match(error, { kind: 'permanent', message: /^the media URL is not allowed/ }, url)
    }
  })
})
