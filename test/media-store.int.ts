import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { openMediaStore } from '../app/wiring/media.ts'
import { fileStore } from '../infra/media/file-store.ts'
import { isMediaName, mediaName, mimeTypeOf } from '../infra/media/media-name.ts'
import { mediaUrl, ownMediaName } from '../infra/media/media-url.ts'
import { s3Store } from '../infra/media/s3-store.ts'
import { MediaStoreError } from '../infra/media/store-error.ts'
import type { MediaContent, MediaStore, SweptMediaStore } from '../infra/media/store.ts'
import type { GuardedHttpOptions } from '../infra/http/guarded-http.ts'
import { systemClock, type Clock } from '../infra/runtime/clock.ts'
import type { S3Bucket } from '../infra/runtime/media-settings.ts'
import { readSettings, SettingsError } from '../infra/runtime/settings.ts'
import { client, closedPort, httpServer, until } from './support/outbound-servers.ts'
import {
  ACCESS_KEY_ID,
  BUCKET,
  refuse,
  REGION,
  s3Server,
  SECRET_ACCESS_KEY,
  type S3Server,
} from './support/s3-server.ts'
import { givenS3rver, S3RVER_KEYS } from './support/s3rver.ts'
import { authorizationIn, sha256, signatureOf } from './support/s3-signature.ts'

/** A command with a small disk of its own, which nobody else sees. */
const OWN_DISK = ['sh', '-c', 'mount -t tmpfs -o size=256k none "$1" && shift && exec "$@"', 'sh']
const SECRET = Buffer.alloc(32, 5)
const NAME = mediaName(SECRET, ['vid_1', 0], 'mp4')
const { signal } = new AbortController()
// Many files are stored at once under this one signal.
setMaxListeners(0, signal)
const tls = {
  key: readFileSync(new URL('fixtures/tls/good.test.key', import.meta.url)),
  cert: readFileSync(new URL('fixtures/tls/good.test.crt', import.meta.url)),
}

function content(bytes: string | Uint8Array): MediaContent {
  const whole = Buffer.from(bytes)
  return { bytes: whole.length, open: () => Readable.from(whole.length > 0 ? [whole] : [], { objectMode: false }) }
}

/** Made as it is read, a piece at a time. */
function generated(bytes: number, onPiece: (bytes: number) => void = () => undefined): MediaContent {
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < bytes; at += 65_536) {
      const piece = Buffer.alloc(Math.min(65_536, bytes - at), at % 251)
      onPiece(piece.length)
      yield piece
    }
  }
  return { bytes, open: () => Readable.from(pieces(), { objectMode: false }) }
}

async function textOf(store: MediaStore, name = NAME): Promise<string | undefined> {
  const media = await store.find(name, signal)
  return media && (await buffer(await media.open(undefined, signal))).toString()
}

async function storeFailure(work: Promise<unknown>): Promise<MediaStoreError> {
  try {
    await work
  } catch (error) {
    if (error instanceof MediaStoreError) return error
    throw error
  }
  throw new Error('expected a failure')
}

/** Waits until a count stops growing: its cause is then waiting for something. */
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

/** Pauses are written down, and take no time. */
function hurriedClock(): Clock & { readonly pauses: readonly number[] } {
  const pauses: number[] = []
  return {
    pauses,
    now: systemClock.now,
    sleep: async (ms) => void pauses.push(ms),
  }
}

function bucketOf(url: string, more: Partial<S3Bucket> = {}): S3Bucket {
  const keys = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY }
  return { bucketUrl: `${url}/${BUCKET}`, region: REGION, ...keys, ...more }
}

interface S3Scene {
  readonly server: S3Server
  readonly store: SweptMediaStore
  readonly pauses: readonly number[]
}

async function givenS3(
  t: Test,
  more: { readonly bucket?: Partial<S3Bucket>; readonly http?: Partial<GuardedHttpOptions> } = {},
): Promise<S3Scene> {
  const server = await s3Server(t)
  const clock = hurriedClock()
  const store = s3Store(bucketOf(server.url, more.bucket), { http: client(t, more.http), clock })
  return { server, store, pauses: clock.pauses }
}

const STORES: Readonly<Record<string, (t: Test) => Promise<SweptMediaStore>>> = {
  'a folder': async (t) => fileStore({ directory: join(t.testdir(), 'data', 'media'), clock: systemClock }),
  'an S3 bucket': async (t) => (await givenS3(t)).store,
}

for (const [kind, given] of Object.entries(STORES)) {
  t.test(`given ${kind} as media store`, async (t) => {
    const store = await given(t)
    let made = 0
    const newName = (): string => mediaName(SECRET, [(made += 1)], 'wav')

    await t.test('when a file is put, then it is found with its size, its type and a tag, and read', async (t) => {
      await store.put(NAME, content('moving pictures'), signal)
      const media = await store.find(NAME, signal)
      t.match(media, { bytes: 15, mimeType: 'video/mp4', etag: /^"[^"]+"$/ })
      t.equal(media?.etag, (await store.find(NAME, signal))?.etag, 'the tag stays')
      t.equal(await textOf(store), 'moving pictures')
      t.equal(await textOf(store), 'moving pictures', 'as often as wanted')
    })

    await t.test('when it is put again, then it is replaced, and who found the old one reads no mixture', async (t) => {
      const name = newName()
      await store.put(name, content('the first'), signal)
      const before = await store.find(name, signal)
      await store.put(name, content('second...'), signal)
      const after = await store.find(name, signal)
      t.equal(await textOf(store, name), 'second...')
      t.not(before?.etag, after?.etag)
      t.ok(before)
      if (before) t.match(await storeFailure(before.open(undefined, signal)), /was replaced/)
    })

    await t.test('when a part is asked for, then it is that part', async () => {
      const name = newName()
      const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))
      await store.put(name, content(bytes), signal)
      const media = await store.find(name, signal)
      const spans = fc.tuple(fc.nat(999), fc.integer({ min: 1, max: 1000 })).filter(([start, end]) => start < end)
      await fc.assert(
        fc.asyncProperty(spans, async ([start, end]) => {
          const part = await media?.open({ start, end }, signal)
          return part !== undefined && bytes.subarray(start, end).equals(await buffer(part))
        }),
        { numRuns: 30, examples: [[[0, 1]], [[999, 1000]], [[0, 1000]]] },
      )
    })

    await t.test('when there is no file, then none is found, and deleting is no failure', async (t) => {
      const name = newName()
      t.equal(await store.find(name, signal), undefined)
      await store.delete(name, signal)
      await store.put(name, content('x'), signal)
      const media = await store.find(name, signal)
      await store.delete(name, signal)
      await store.delete(name, signal)
      t.equal(await store.find(name, signal), undefined)
      t.ok(media)
      if (media) t.match(await storeFailure(media.open(undefined, signal)), /deleted while/)
    })

    await t.test('when a name is put many times at once, then one of them is there, whole', async (t) => {
      const name = newName()
      const all = Array.from({ length: 8 }, (_, at) => Buffer.alloc(100_000, `${at}`))
      await Promise.all(all.map((bytes) => store.put(name, content(bytes), signal)))
      const text = await textOf(store, name)
      t.ok(all.some((bytes) => bytes.toString() === text))
    })

    await t.test('when many names are put at once, then each has its own content', async (t) => {
      const names = Array.from({ length: 12 }, newName)
      await Promise.all(names.map((name) => store.put(name, content(name), signal)))
      for (const name of names) t.equal(await textOf(store, name), name)
    })

    await t.test('when a name is odd, then it is refused', async (t) => {
      for (const name of ODD_NAMES) {
        await t.rejects(store.put(name, content('x'), signal), /not the name of a file/, inspect(name))
        await t.rejects(store.find(name, signal), /not the name of a file/)
        await t.rejects(store.delete(name, signal), /not the name of a file/)
      }
    })

    await t.test('when a file is empty, then it is there all the same', async (t) => {
      const name = newName()
      await store.put(name, content(''), signal)
      t.match(await store.find(name, signal), { bytes: 0 })
      t.equal(await textOf(store, name), '')
    })

    await t.test('when a file has 20 MB, then it comes back as it went', async (t) => {
      const name = newName()
      const hashOf = async (stream: Readable | undefined): Promise<string> => {
        const hash = createHash('sha256')
        for await (const chunk of stream ?? []) hash.update(chunk)
        return hash.digest('hex')
      }
      const large = generated(20_000_000)
      await store.put(name, large, signal)
      const media = await store.find(name, signal)
      t.equal(media?.bytes, 20_000_000)
      t.equal(await hashOf(await media?.open(undefined, signal)), await hashOf(large.open()))
    })

    await t.test('when a put fails half-way, then what was there stays, whole', async (t) => {
      const name = newName()
      await store.put(name, content('what was there'), signal)
      const stopping = new AbortController()
      const stopped = generated(1_000_000, () => stopping.abort())
      const broken = new Error('the source broke off')
      const failing: Readonly<Record<string, readonly [MediaContent, AbortSignal]>> = {
        'shorter than announced': [{ ...content('short'), bytes: 9 }, signal],
        'longer than announced': [{ ...content('much longer'), bytes: 5 }, signal],
        'content that breaks off': [{ bytes: 9, open: () => breakingOff(broken) }, signal],
        'a signal': [stopped, stopping.signal],
        'a signal before': [content('never'), AbortSignal.abort()],
      }
      for (const [why, [half, until]] of Object.entries(failing)) {
        await t.rejects(store.put(name, half, until), why)
        t.equal(await textOf(store, name), 'what was there', why)
      }
    })

    await t.test('when reading is given up, then the stream ends with a failure', async (t) => {
      const name = newName()
      await store.put(name, generated(5_000_000), signal)
      const media = await store.find(name, signal)
      const stopping = new AbortController()
      const stream = await media?.open(undefined, stopping.signal)
      t.ok(stream)
      if (!stream) return
      const reading = buffer(stream)
      stopping.abort()
      await t.rejects(reading)
      t.ok(stream.destroyed)
    })
  })
}

const ODD_NAMES = [
  ...['', '.', '..', 'a.mp4', `../${NAME}`, `${NAME}/..`, `x/${NAME}`, ` ${NAME}`, `${NAME} `, `${NAME}\n`],
  ...[NAME.toUpperCase(), NAME.replace('.mp4', '.exe'), NAME.replace('.mp4', ''), `${NAME}.part`, `${NAME}\0`],
  ...['constructor', '__proto__', `${'0'.repeat(31)}/.mp4`, `${'w'.repeat(32)}.mp4`, `${'0'.repeat(33)}.mp4`],
]

function breakingOff(error: Error): Readable {
  function* pieces(): Generator<Buffer> {
    yield Buffer.from('some')
    throw error
  }
  return Readable.from(pieces(), { objectMode: false })
}

t.test('a name is the same for the same parts, another for all others, and always a name', (t) => {
  const part = fc.oneof(fc.string(), fc.integer())
  const parts = fc.array(part, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const [first, again] = [mediaName(SECRET, one, 'mp4'), mediaName(SECRET, [...one], 'mp4')]
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      return isMediaName(first) && first === again && (mediaName(SECRET, other, 'mp4') === first) === isSame
    }),
    {
      examples: [
        [['ab'], ['a', 'b']],
        [[1], ['1']],
        [['a', ''], ['a']],
        [['a","b'], ['a', 'b']],
      ],
    },
  )
  t.not(mediaName(Buffer.alloc(32, 6), ['vid_1', 0], 'mp4'), NAME, 'another secret')
  t.equal(NAME.length, 36, '32 characters of 5 bits, and the ending')
  const types = { mp4: 'video/mp4', wav: 'audio/wav', mp3: 'audio/mpeg', m4a: 'audio/mp4' } as const
  for (const [ending, type] of Object.entries(types)) {
    const name = mediaName(SECRET, ['vid_1', 'voiceover'], ending as keyof typeof types)
    t.equal(mimeTypeOf(name), type)
  }
  for (const name of ODD_NAMES) {
    t.notOk(isMediaName(name), inspect(name))
    t.throws(() => mimeTypeOf(name), /not the name of a file/)
  }
  t.end()
})

t.test('a URL of the service leads back to its name, and no other URL does', (t) => {
  for (const base of [
    'http://127.0.0.1:3000',
    'https://fan.example',
    'https://fan.example/below/a/path',
    'http://[::1]:1',
  ]) {
    const url = mediaUrl(base, NAME)
    t.ok(url.startsWith(`${base}/`))
    for (const ours of [url, `${url}?download=1`, `${url}#t=10`]) t.equal(ownMediaName(base, ours), NAME, ours)
  }
  const base = 'https://fan.example/api'
  const others = [
    ...['', 'nonsense', `https://fan.example/media/${NAME}`, `https://fan.example/api/media/x/${NAME}`],
    ...[`http://fan.example/api/media/${NAME}`, `https://fan.example:8443/api/media/${NAME}`],
    ...[`https://evil.example/api/media/${NAME}`, `https://fan.example.evil.example/api/media/${NAME}`],
    ...[`https://evil.example/?${base}/media/${NAME}`, `https://fan.example/api/media/../media2/${NAME}`],
    ...[`${base}/media/`, `${base}/media/sample.mp4`, `${base}/media/${NAME}/`, `${base}/v1/posts`, `${base}/media`],
  ]
  for (const url of others) t.equal(ownMediaName(base, url), undefined, url)
  t.end()
})

t.test('given a folder as media store', async (t) => {
  const directory = join(t.testdir(), 'media')
  const store = fileStore({ directory, clock: systemClock })
  const folder = join(directory, NAME.slice(0, 2))
  await store.put(NAME, content('a'), signal)

  await t.test(
    'when a file is kept, then it is for this user alone, in a folder of the name’s first letters',
    async (t) => {
      t.same(await readdir(folder), [NAME])
      t.equal((await stat(join(folder, NAME))).mode & 0o777, 0o600)
      t.equal((await stat(folder)).mode & 0o777, 0o700)
    },
  )

  await t.test('when puts fail, then nothing is left of them', async (t) => {
    await t.rejects(store.put(NAME, { ...content('b'), bytes: 2 }, signal))
    await t.rejects(store.put(NAME, { bytes: 9, open: () => breakingOff(new Error('broken')) }, signal), /broken/)
    t.same(await readdir(folder), [NAME])
  })

  await t.test('when a process was killed half-way, then what it left is no file, and is swept in time', async (t) => {
    const drafts = [0, 1].map((at) => `${NAME}.${`${at}`.repeat(8)}-0000-4000-8000-000000000000.part`)
    for (const draft of drafts) await writeFile(join(folder, draft), 'half')
    const [old = ''] = drafts
    const longAgo = Date.now() / 1000 - 7200
    await utimes(join(folder, old), longAgo, longAgo)
    await utimes(join(folder, NAME), longAgo, longAgo)
    t.equal(await textOf(store), 'a')
    t.equal(await store.sweep(3_600_000), 1)
    t.same(await readdir(folder), [NAME, drafts[1]].sort())
    t.equal(await store.sweep(0), 1)
    t.equal(await store.sweep(0), 0, 'files are never swept')
    t.equal(await textOf(store), 'a')
    t.equal(await fileStore({ directory: join(directory, 'nowhere'), clock: systemClock }).sweep(0), 0)
  })

  await t.test('when the disk is full, then the failure says so, and nothing is left of the put', async (t) => {
    const disk = t.testdir()
    const onDisk = (...command: readonly string[]) =>
      spawnSync('unshare', ['-rm', ...OWN_DISK, disk, ...command], { encoding: 'utf8' })
    if (onDisk('true').status !== 0) return void t.pass('no disk can be mounted here', { skip: true })
    const program = `
      const { fileStore } = await import('../infra/media/file-store.ts')
      const { readdir } = await import('node:fs/promises')
      const { Readable } = await import('node:stream')
      const store = fileStore({ directory: process.argv[1], clock: { now: Date.now } })
      const put = (bytes) => {
        const open = () => Readable.from([Buffer.alloc(bytes)], { objectMode: false })
        return store.put('${NAME}', { bytes, open }, new AbortController().signal)
      }
      await put(100_000)
      const { name, message, passes } = await put(500_000).catch((error) => error)
      const left = await readdir(process.argv[1] + '/${NAME.slice(0, 2)}')
      console.log(JSON.stringify({ name, message, passes, left }))`
    const node = [process.execPath, '--import=tsx', '--input-type=module', '--eval', program, disk]
    const { stdout, stderr } = onDisk(...node)
    t.match(JSON.parse(stdout || JSON.stringify({ stderr })), {
      ...{ name: 'MediaStoreError', passes: false, left: [NAME] },
      message: 'the disk is full: free up space for the folder media in DATA_DIR',
    })
  })

  await t.test('when the folder can’t be one, then the failure says so', async (t) => {
    const file = join(t.testdir({ media: 'a file' }), 'media')
    const wrong = fileStore({ directory: file, clock: systemClock })
    t.match(await storeFailure(wrong.put(NAME, content('a'), signal)), {
      passes: false,
      message: /^the folder media in DATA_DIR cannot be used \((EEXIST|ENOTDIR)\)$/,
    })
    t.match(await storeFailure(wrong.find(NAME, signal)), /ENOTDIR/)
    t.match(await storeFailure(wrong.sweep(0)), /ENOTDIR/)
    t.equal(await readFile(file, 'utf8'), 'a file')
  })
})

t.test('given a bucket of s3rver, a server that others have written', async (t) => {
  // It keeps half of a broken put and knows no conditions, so it gets none of these.
  const bucket = bucketOf(await givenS3rver(t, BUCKET), S3RVER_KEYS)
  const store = s3Store(bucket, { http: client(t), clock: hurriedClock() })

  await t.test('when files are put, replaced, read in part and deleted, then each is as it should be', async (t) => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
    await store.put(NAME, content('before'), signal)
    await store.put(NAME, content(bytes), signal)
    const found = await store.find(NAME, signal)
    t.match(found, { bytes: bytes.length, mimeType: mimeTypeOf(NAME), etag: /^".+"$/ })
    for (const span of [undefined, { start: 10, end: 20 }, { start: 99_000, end: 100_000 }]) {
      const read = await buffer((await found?.open(span, signal)) ?? Readable.from([]))
      t.ok(read.equals(bytes.subarray(span?.start, span?.end)), JSON.stringify(span))
    }
    await store.delete(NAME, signal)
    await store.delete(NAME, signal)
    t.equal(await store.find(NAME, signal), undefined)
  })

  await t.test('when the bucket is not there, then that is said', async (t) => {
    const elsewhere = { ...bucket, bucketUrl: `${bucket.bucketUrl}-not` }
    const lost = s3Store(elsewhere, { http: client(t), clock: hurriedClock() })
    await t.rejects(lost.put(NAME, content('hello'), signal), /no such bucket|bucket/i)
  })
})

t.test('the signature of the stand-in is that of Amazon’s own example', (t) => {
  // Amazon S3 API reference, "Signature calculations for the Authorization header", GET Object.
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': sha256(''),
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  }
  const by = authorizationIn(headers.authorization)
  t.ok(by)
  if (by) {
    const request = { method: 'GET', path: '/test.txt', headers }
    t.equal(signatureOf(request, by, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'), by.signature)
  }
  t.end()
})

t.test('given an S3 bucket', async (t) => {
  await t.test('when content goes over http, then its hash is signed, with its type', async (t) => {
    const { store, server } = await givenS3(t)
    await store.put(NAME, content('hello'), signal)
    t.match(server.headers, [{ 'x-amz-content-sha256': sha256('hello'), 'content-type': 'video/mp4' }])
    t.equal(server.files.get(NAME)?.type, 'video/mp4')
  })

  await t.test('when it goes over https, then it is read once, and TLS is its guard', async (t) => {
    const server = await s3Server(t, tls)
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    const http = client(t, { ca: tls.cert.toString(), lookup })
    const store = s3Store(bucketOf(`https://good.test:${server.port}`), { http, clock: systemClock })
    let read = 0
    await store.put(
      NAME,
      generated(100_000, (bytes) => (read += bytes)),
      signal,
    )
    t.equal(read, 100_000)
    t.match(server.headers, [{ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }])
    t.equal((await store.find(NAME, signal))?.bytes, 100_000)
  })

  await t.test('when the bucket stands in front of the host, then it is found there', async (t) => {
    const server = await s3Server(t)
    const { media } = readSettings({
      ...{ MEDIA_S3_ENDPOINT: `http://s3.test:${server.port}/`, MEDIA_S3_BUCKET: BUCKET, MEDIA_S3_REGION: REGION },
      ...{ MEDIA_S3_ACCESS_KEY_ID: ACCESS_KEY_ID, MEDIA_S3_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY },
      MEDIA_S3_ADDRESSING: 'host',
    })
    const lookup = async (host: string) => (host === `${BUCKET}.s3.test` ? [{ address: '127.0.0.1', family: 4 }] : [])
    if (media.kind !== 's3') return t.fail('no bucket')
    const store = s3Store(media, { http: client(t, { lookup }), clock: systemClock })
    await store.put(NAME, content('hello'), signal)
    t.equal(await textOf(store), 'hello')
  })

  await t.test('when it refuses, then the error of each call says what to fix, without a secret', async (t) => {
    const wrong: readonly (readonly [Partial<S3Bucket>, RegExp])[] = [
      [{ secretAccessKey: 'not the secret' }, /MEDIA_S3_SECRET_ACCESS_KEY is not the secret/],
      [{ accessKeyId: 'AKIDUNKNOWN' }, /does not know MEDIA_S3_ACCESS_KEY_ID/],
      [{ region: 'us-east-1' }, /MEDIA_S3_REGION or MEDIA_S3_ENDPOINT does not match the bucket/],
    ]
    for (const [bucket, message] of wrong) {
      const { store, pauses } = await givenS3(t, { bucket })
      for (const work of everyCall(store)) {
        const failure = await storeFailure(work())
        t.match(failure, { passes: false, message })
        t.notMatch(inspect(failure, { depth: 9 }), SECRET_ACCESS_KEY)
        t.notMatch(inspect(failure, { depth: 9 }), 'not the secret of this')
      }
      t.same(pauses, [], 'no second call')
    }
    const server = await s3Server(t)
    const nowhere = bucketOf(server.url, { bucketUrl: `${server.url}/nobody` })
    const late = { now: () => Date.now() + 3_600_000, sleep: systemClock.sleep }
    const stores = [
      [s3Store(nowhere, { http: client(t), clock: systemClock }), /no bucket with the name in MEDIA_S3_BUCKET/],
      [
        s3Store(bucketOf(server.url), { http: client(t), clock: late }),
        /its clock and this computer's differ too much/,
      ],
    ] as const
    for (const [store, message] of stores) {
      for (const work of everyCall(store)) t.match(await storeFailure(work()), { passes: false, message })
    }
  })

  await t.test('when it sends an unexpected response, then the error is in plain words', async (t) => {
    const table: readonly (readonly [RequestListener, RegExp])[] = [
      [refuse(403, 'AccessDenied'), /it denied access/],
      [refuse(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-3' }), /\(its bucket is in eu-west-3\)/],
      [refuse(301, 'PermanentRedirect', { 'x-amz-bucket-region': '<b>' }), /does not match the bucket$/],
      [refuse(400, 'XMinioStorageFull'), /it is full/],
      [refuse(418, 'Strange'), /it responded with 418 \(Strange\)/],
      [
        (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Here?</h1>'),
        /it responded with 404$/,
      ],
      [
        (_request, response) => response.writeHead(400).end(`<Code>${'x'.repeat(100)}</Code>`),
        /it responded with 400$/,
      ],
      [
        (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
        /it responded with 302$/,
      ],
    ]
    const { store, server } = await givenS3(t)
    for (const [answer, message] of table) {
      server.next(answer)
      t.match(await storeFailure(store.put(NAME, content('a'), signal)), { passes: false, message })
      // A HEAD has no text: the reason is asked for.
      server.next(answer, answer)
      t.match(await storeFailure(store.find(NAME, signal)), { passes: false, message })
    }
  })

  await t.test('when the answers to a look make no sense, then nothing is taken from them', async (t) => {
    const { store, server } = await givenS3(t)
    server.keep(NAME, Buffer.from('0123456789'))
    for (const headers of [{}, { etag: '"a"' }, { 'content-length': '5' }, { etag: 'a', 'content-length': '5' }]) {
      server.next((_request, response) => response.writeHead(200, headers).end())
      t.match(await storeFailure(store.find(NAME, signal)), /could not be read/, inspect(headers))
    }
    const media = await store.find(NAME, signal)
    const { etag = '' } = media ?? {}
    const answers: Readonly<Record<string, RequestListener>> = {
      'the whole instead of a part': (_request, response) => response.writeHead(200, { etag }).end('0123456789'),
      'another part': (_request, response) => response.writeHead(206, { etag }).end('0123'),
    }
    for (const [what, answer] of Object.entries(answers)) {
      server.next(answer)
      const opened = media?.open({ start: 2, end: 4 }, signal) ?? Promise.resolve()
      t.match(await storeFailure(opened), /could not be read/, what)
    }
    await until(() => server.open() <= 1)
  })

  await t.test('when it fails twice, then the third call is the one that counts', async (t) => {
    const passing: readonly RequestListener[] = [
      refuse(503, 'SlowDown'),
      refuse(500, 'InternalError'),
      refuse(400, 'RequestTimeout'),
      refuse(429, 'TooManyRequests'),
      (request) => request.socket.destroy(),
      (_request, response) => response.writeHead(503).end(),
    ]
    for (const answer of passing) {
      const { store, server, pauses } = await givenS3(t)
      server.next(answer, answer)
      await store.put(NAME, content('hello'), signal)
      t.same(pauses, [500, 2_000])
      t.equal(await textOf(store), 'hello')
      t.same(server.calls.slice(0, 3), Array<string>(3).fill(`PUT ${NAME}`))
    }
  })

  await t.test('when it fails three times, is not there, or hangs, then that is said', async (t) => {
    const { store, server, pauses } = await givenS3(t)
    server.next(refuse(503, 'SlowDown'), refuse(503, 'SlowDown'), refuse(503, 'SlowDown'))
    t.match(await storeFailure(store.find(NAME, signal)), { passes: true, message: /it responded with 503/ })
    t.equal(pauses.length, 2)

    const gone = bucketOf(`http://127.0.0.1:${await closedPort()}`)
    const nobody = s3Store(gone, { http: client(t), clock: hurriedClock() })
    for (const work of everyCall(nobody)) {
      t.match(await storeFailure(work()), { passes: true, message: /could not be reached: .*ECONNREFUSED/ })
    }

    // A call's time is up as soon as it has arrived.
    const deadlines: (() => void)[] = []
    const impatient: Clock = {
      now: systemClock.now,
      sleep: (ms, until) =>
        ms > 5_000 ? new Promise((resolve) => deadlines.push(resolve)) : systemClock.sleep(ms, until),
    }
    const slow = await givenS3(t, { http: { clock: impatient } })
    const hanging = Array<RequestListener>(3).fill((request) => {
      request.resume()
      for (const end of deadlines.splice(0)) end()
    })
    slow.server.next(...hanging)
    t.match(await storeFailure(slow.store.find(NAME, signal)), { passes: true, message: /response within 10000 ms/ })
    t.equal(slow.server.calls.length, 3)
    slow.server.next(...hanging)
    const large = storeFailure(slow.store.put(NAME, generated(500_000), signal))
    t.match(await large, { passes: true, message: /response within 20000 ms/ }, 'time for what it moves')
  })

  await t.test('when the caller gives up, then there is no further call', async (t) => {
    const { server } = await givenS3(t)
    const stopping = new AbortController()
    const clock: Clock = { now: systemClock.now, sleep: async () => stopping.abort() }
    const store = s3Store(bucketOf(server.url), { http: client(t), clock })
    server.next(refuse(503, 'SlowDown'))
    await t.rejects(store.put(NAME, content('a'), stopping.signal))
    t.equal(server.calls.length, 1)
  })

  await t.test('when a file breaks off in transit, then its reader gets an error', async (t) => {
    const { store, server } = await givenS3(t)
    server.keep(NAME, Buffer.alloc(1000, 'a'))
    const media = await store.find(NAME, signal)
    server.next((_request, response) => {
      response.writeHead(200, { 'content-length': 1000, etag: media?.etag })
      response.write('only this', () => response.destroy())
    })
    const stream = await media?.open(undefined, signal)
    t.ok(stream)
    if (stream) await t.rejects(buffer(stream), /was lost/)
  })

  await t.test('when it takes content slowly, then nothing is read ahead beyond the buffers', async (t) => {
    const { store, server } = await givenS3(t)
    let release = (): void => undefined
    server.next((request, response) => {
      release = () => void request.resume().once('end', () => response.writeHead(200).end())
    })
    let read = 0
    const total = 100_000_000
    const putting = store.put(
      NAME,
      generated(total, (bytes) => (read += bytes)),
      signal,
    )
    await until(() => server.calls.length === 1, 20_000)
    // Once for the hash, which is over.
    const ahead = (await settled(() => read)) - total
    t.ok(ahead > 0 && ahead < total / 2, `${ahead} bytes ahead`)
    release()
    await putting
    t.equal(read, 2 * total)
  })
})

function everyCall(store: MediaStore): readonly (() => Promise<unknown>)[] {
  return [() => store.put(NAME, content('a'), signal), () => store.find(NAME, signal), () => store.delete(NAME, signal)]
}

t.test('given settings of a media store', async (t) => {
  const bucket = {
    MEDIA_S3_ENDPOINT: 'https://s3.example/storage/',
    MEDIA_S3_BUCKET: BUCKET,
    MEDIA_S3_ACCESS_KEY_ID: ACCESS_KEY_ID,
    MEDIA_S3_SECRET_ACCESS_KEY: `${SECRET_ACCESS_KEY}\n`,
  }
  const s3 = { kind: 's3', accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY }

  await t.test('when none is given, then files are kept', async (t) => {
    t.same(readSettings({}).media, { kind: 'files' })
    t.same(readSettings({ MEDIA_S3_REGION: 'eu-west-1', MEDIA_S3_ENDPOINT: '' }).media, { kind: 'files' })
  })

  await t.test('when a bucket is named, then its address follows', async (t) => {
    const at = (more: object) => readSettings({ ...bucket, ...more }).media
    t.same(at({}), { ...s3, region: 'us-east-1', bucketUrl: `https://s3.example/storage/${BUCKET}` })
    t.same(at({ MEDIA_S3_ADDRESSING: 'host', MEDIA_S3_REGION: 'auto' }), {
      ...{ ...s3, region: 'auto' },
      bucketUrl: `https://${BUCKET}.s3.example/storage`,
    })
    t.match(at({ MEDIA_S3_ENDPOINT: 'http://[::1]:9000' }), { bucketUrl: `http://[::1]:9000/${BUCKET}` })
  })

  await t.test('when they are wrong, then each is named, and no secret is shown', async (t) => {
    const table: readonly (readonly [object, RegExp])[] = [
      [{ MEDIA_S3_BUCKET: '' }, /MEDIA_S3_BUCKET: is required with MEDIA_S3_ENDPOINT and/],
      [
        { MEDIA_S3_ENDPOINT: '', MEDIA_S3_BUCKET: '' },
        /MEDIA_S3_ENDPOINT: is required[^]*MEDIA_S3_BUCKET: is required/,
      ],
      [{ MEDIA_S3_ACCESS_KEY_ID: '' }, /MEDIA_S3_ACCESS_KEY_ID: is required/],
      [{ MEDIA_S3_SECRET_ACCESS_KEY: '' }, /MEDIA_S3_SECRET_ACCESS_KEY: is required/],
      [{ MEDIA_S3_ENDPOINT: 's3.example' }, /MEDIA_S3_ENDPOINT: must be a URL/],
      [{ MEDIA_S3_ENDPOINT: 'https://me:pass@s3.example' }, /MEDIA_S3_ENDPOINT: must not contain a user/],
      [{ MEDIA_S3_BUCKET: 'a/b' }, /MEDIA_S3_BUCKET: must be the name of a bucket/],
      [{ MEDIA_S3_REGION: 'über' }, /MEDIA_S3_REGION: must be the name of a region/],
      [{ MEDIA_S3_ADDRESSING: 'vhost' }, /MEDIA_S3_ADDRESSING: /],
      [
        { MEDIA_S3_ADDRESSING: 'host', MEDIA_S3_ENDPOINT: 'http://127.0.0.1:9000' },
        /MEDIA_S3_ADDRESSING: can be host only/,
      ],
      [
        { MEDIA_S3_SECRET_ACCESS_KEY: 'schlüssel', AI_PROVIDER: '' },
        /MEDIA_S3_SECRET_ACCESS_KEY: must contain only printable/,
      ],
      [{ MEDIA_S3_BUCKET: '', AI_PROVIDER: 'openai' }, /AI_MODEL: [^]*MEDIA_S3_BUCKET: /],
    ]
    for (const [more, message] of table) {
      try {
        readSettings({ ...bucket, ...more })
        t.fail(inspect(more))
      } catch (error) {
        t.type(error, SettingsError)
        t.match(error, { message })
        t.notMatch(String(error), SECRET_ACCESS_KEY)
      }
    }
  })

  await t.test('when the bucket is on a private network, then it alone is reached there', async (t) => {
    const server = await s3Server(t)
    const environment = { ...bucket, MEDIA_S3_ENDPOINT: server.url, MEDIA_S3_REGION: REGION }
    const { store, close } = openMediaStore(readSettings(environment), systemClock)
    t.teardown(close)
    await store.put(NAME, content('hello'), signal)
    t.equal(await textOf(store), 'hello')
    const elsewhere = await httpServer(t, (_request, response) => response.end())
    server.next((_request, response) => response.writeHead(307, { location: `${elsewhere.url}/x` }).end())
    await t.rejects(store.put(NAME, content('hello'), signal))
    t.equal(elsewhere.connections(), 0, 'no redirect is followed')
  })

  await t.test('when there is none, then the folder media in DATA_DIR is the store', async (t) => {
    const DATA_DIR = t.testdir()
    const { store, close } = openMediaStore(readSettings({ DATA_DIR }), systemClock)
    await store.put(NAME, content('hello'), signal)
    await close()
    t.equal(await readFile(join(DATA_DIR, 'media', NAME.slice(0, 2), NAME), 'utf8'), 'hello')
  })
})
