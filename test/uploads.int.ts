import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { endWorkspace } from '../commands/end-workspace.ts'
import { createMediaRoom } from '../commands/media-room.ts'
import { START } from '../event-log/event-log.ts'
import { CATEGORIES } from '../domain/log/event-kinds.ts'
import { intentBook } from '../domain/core/intents.ts'
import { uploadedFileIn } from '../domain/core/upload.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { keptMedia } from '../projections/models/kept-media.ts'
import { publicMedia } from '../reactors/platform-calls/public-media.ts'
import { s3Store } from '../infra/media/s3-store.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { createUploads } from '../reactors/media/receive-upload.ts'
import { UPLOADS } from './support/api.ts'
import { sample } from './support/media-samples.ts'
import { client } from './support/outbound-servers.ts'
import { ACCESS_KEY_ID, BUCKET, REGION, s3Server, SECRET_ACCESS_KEY } from './support/s3-server.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenUploads, started, type Started } from './support/uploads.ts'
import { causedBy, givenWorld } from './support/world.ts'

const PICTURE = sample('picture.jpg')
const CLIP = sample('clip.mp4')
const DAY_MS = 86_400_000
const SEEN = { waitFor: async () => true }

function part(content: Buffer, first: number, last: number): [Buffer, Record<string, string>] {
  return [content.subarray(first, last + 1), { 'content-range': `bytes ${first}-${last}/${content.length}` }]
}

t.test('given a file on a disk, when it is uploaded, then its URL is that of a post', async (t) => {
  const { api, call, start, put, service, world, files, clock } = await givenUploads(t)
  const sha256 = createHash('sha256').update(PICTURE).digest('hex')
  const begun = await start(PICTURE, { sha256: sha256.toUpperCase() })
  const expires = (after: number) => new RegExp(`^${new Date(clock.now() + after).toISOString().slice(0, 10)}`)
  t.match(begun.expiresAt, expires(DAY_MS))
  t.match((await call('GET', `/media/${begun.uploadId}`)).body, { status: 'uploading', expiresAt: begun.expiresAt })

  const { accountId, ...selected } = { accountId: await world.account('bluesky'), mediaType: 'image' }
  const selections = { bluesky: [accountId] }
  const post = { ...selected, mediaUrl: begun.mediaUrl, selections }
  const early = await call('POST', '/posts/preview', post)
  t.match(early.body, { previews: [{ problems: ['the media has not been uploaded completely'] }] })

  const done = await put(begun.uploadUrl, PICTURE, { 'content-type': 'image/jpeg' })
  t.equal(done.status, 201)
  const shown = { status: 'ready', fileName: 'bread.jpg', sha256, width: 64, height: 48, mediaUrl: begun.mediaUrl }
  t.match(done.body, shown)
  const got = await call('GET', `/media/${begun.uploadId}`)
  t.match(got.body, { ...shown, expiresAt: expires(7 * DAY_MS) })
  t.match((await call('GET', '/media')).body, { media: [shown], nextCursor: null })
  const served = await api.app.inject(new URL(begun.mediaUrl).pathname)
  t.same([served.statusCode, served.headers['content-type'], served.rawPayload], [200, 'image/jpeg', PICTURE])
  t.equal((await put(begun.uploadUrl, PICTURE)).status, 200, 'a repeat changes nothing')

  t.match((await call('POST', '/posts/preview', post)).body, { previews: [{ problems: [], media: { width: 64 } }] })
  const { runId } = (await call('POST', '/posts', post)).body
  await service.drain()
  t.match((await call('GET', `/posts/${String(runId)}`)).body, { status: 'published' })
  const used = await call('GET', `/media/${begun.uploadId}`)
  t.match(used.body, { usedAt: /Z$/, expiresAt: undefined })
  t.equal((await files()).length, 1, 'only the file in the media store is left')
  const history = await call('GET', `/media/${begun.uploadId}/events`)
  t.match(history.text, /The upload of a file was started \(image\/jpeg/)
})

t.test('given any way to cut a file into requests, when all have arrived, then it is whole', async (t) => {
  const { start, put, world } = await givenUploads(t)
  const steps = fc.array(fc.tuple(fc.nat(CLIP.length + 500), fc.integer({ min: 1, max: CLIP.length })), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { uploadUrl, mediaUrl } = await start(CLIP, { fileName: 'clip.mp4', contentType: 'video/mp4' })
      let received = 0
      for (const [from, length] of steps) {
        const first = Math.min(from, CLIP.length - 1)
        const last = Math.min(first + length, CLIP.length) - 1
        const answer = await put(uploadUrl, ...part(CLIP, first, last))
        // What comes after a gap is not taken; what has arrived already is skipped.
        if (first <= received) received = Math.max(received, last + 1)
        if (received === CLIP.length) return [200, 201].includes(answer.status)
        const range = received === 0 ? undefined : `bytes=0-${received - 1}`
        if (answer.status !== 308 || answer.range !== range) return false
        const asked = await put(uploadUrl, undefined, { 'content-range': `bytes */${CLIP.length}` })
        if (asked.status !== 308 || asked.range !== range) return false
      }
      if ((await put(uploadUrl, ...part(CLIP, received, CLIP.length - 1))).status !== 201) return false
      const stored = await world.mediaStore.find(uploadedFileIn(mediaUrl)?.file ?? '', new AbortController().signal)
      const chunks = await (await stored?.open(undefined, new AbortController().signal))?.toArray()
      return Buffer.concat(chunks ?? []).equals(CLIP)
    }),
    { numRuns: 25 },
  )
})

t.test('given a file that is not what was announced, then the error says so, and nothing is kept', async (t) => {
  const { start, put, call, files } = await givenUploads(t)
  const other = createHash('sha256').update('other').digest('hex')
  const table: readonly (readonly [Buffer, object, RegExp])[] = [
    [PICTURE, { contentType: 'image/png' }, /^The file is image\/jpeg, but contentType is image\/png\./],
    [CLIP, { contentType: 'image/jpeg' }, /^The file is video\/mp4, but contentType is image\/jpeg\./],
    [Buffer.from('<html><body>Hi'), {}, /^The file is a web page, but contentType is image\/jpeg\./],
    [PICTURE.subarray(0, 200), {}, /^The file is a damaged image/],
    [PICTURE, { sha256: other }, /^The SHA-256 of the file is [0-9a-f]{64}, but sha256 is/],
  ]
  for (const [content, more, message] of table) {
    const { uploadId, uploadUrl, mediaUrl } = await start(content, more)
    t.match(await put(uploadUrl, content), { status: 400, body: { error: { code: 'invalid_request', message } } })
    t.same(await files(), [])
    t.match(await put(uploadUrl, content), { status: 409, body: { error: { message: /^This upload has failed/ } } })
    t.match((await call('GET', `/media/${uploadId}`)).body, { status: 'failed', error: message })
    const post = { mediaUrl, mediaType: 'image', selections: { x: ['acc_none'] } }
    t.match((await call('POST', '/posts', post)).status, 202)
  }
  const { uploadUrl } = await start(PICTURE)
  const refused: readonly (readonly [Buffer, Record<string, string>, RegExp])[] = [
    [PICTURE.subarray(1), {}, /^Content-Length is \d+, but the upload was announced with sizeBytes/],
    [PICTURE, { 'content-range': `bytes 0-${PICTURE.length - 1}/9` }, /^Content-Range has a total of 9/],
    [PICTURE, { 'content-range': 'bytes 5-2/*' }, /^Content-Range must be such as/],
    [PICTURE, { 'content-range': 'bytes=0-5' }, /^Content-Range must be such as/],
    [
      PICTURE.subarray(0, 9),
      { 'content-range': 'bytes 0-9/*' },
      /^Content-Length is 9, but Content-Range has 10 bytes/,
    ],
    [PICTURE, { 'content-range': `bytes 1-${PICTURE.length}/*` }, /^Content-Range ends at byte/],
  ]
  for (const [content, headers, message] of refused) {
    t.match(await put(uploadUrl, content, headers), { status: 400, body: { error: { message } } })
  }
  t.same(await files(), [])
  const wrong = uploadUrl.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  for (const url of [wrong, uploadUrl.replace(/med_\w{4}/, 'med_0000'), uploadUrl.slice(0, -1)]) {
    t.match(await put(url, PICTURE), { status: 404, body: { error: { message: /^No such upload/ } } })
  }
})

t.test('given a request for an upload that cannot be, then the error names the field', async (t) => {
  const { call } = await givenUploads(t)
  const body = { fileName: 'a.jpg', contentType: 'image/jpeg', sizeBytes: 10 }
  const table: readonly (readonly [object, RegExp])[] = [
    [{ fileName: '../a.jpg' }, /fileName must be the name of a file, without a folder/],
    [{ contentType: 'image/svg+xml' }, /contentType must be one of image\/jpeg, /],
    [{ sizeBytes: 0 }, /sizeBytes must be the size of the file in bytes/],
    [{ sizeBytes: 100_000_001 }, /sizeBytes is 100000001, but the limit is 100 MB \(UPLOAD_MAX\)/],
    [{ sha256: 'abc' }, /sha256 must be 64 hexadecimal digits/],
  ]
  for (const [more, message] of table) {
    const answer = await call('POST', '/uploads', { ...body, ...more })
    t.match(answer, { status: 400, body: { error: { code: 'invalid_request', message } } })
  }
})

t.test('given the URL of another workspace’s file, when it is posted, then there is no such file', async (t) => {
  const { api, call, upload, world, service } = await givenUploads(t)
  const { mediaUrl, uploadId } = await upload(PICTURE)
  const workspaceId = 'ws_01JWB4V0X3Z6C9F2H5K8N1Q4T7'
  const stranger = await api.key({ workspaceId })
  const accountId = await world.account('bluesky', workspaceId)
  const post = { mediaUrl, mediaType: 'image', selections: { bluesky: [accountId] } }
  const nobodys = mediaUrl.replace(/\/media\/\w/, (start) => (start.endsWith('0') ? '/media/1' : '/media/0'))
  const previews: unknown[] = []
  for (const url of [mediaUrl, nobodys]) {
    const { body } = await call('POST', '/posts/preview', { ...post, mediaUrl: url }, stranger)
    const [item] = z.object({ previews: z.array(z.object({ problems: z.array(z.string()) })) }).parse(body).previews
    previews.push(item?.problems)
  }
  t.match(previews[0], ['the media is gone: this service no longer has a file at this URL'])
  t.same(previews[0], previews[1])
  const { runId } = (await call('POST', '/posts', post, stranger)).body
  await service.drain()
  t.match((await call('GET', `/posts/${String(runId)}`, undefined, stranger)).body, { status: 'publish_failed' })
  t.match((await call('GET', `/media/${uploadId}`)).body, { usedAt: undefined }, 'nor does it count as a use')
  t.equal((await call('GET', `/media/${uploadId}`, undefined, stranger)).status, 403)
  t.equal((await call('DELETE', `/media/${uploadId}`, undefined, stranger)).status, 403)
})

t.test('given a platform that fetches media itself, then it gets the URL at today’s address, or none', async (t) => {
  const { call, upload, world, service } = await givenUploads(t)
  const { mediaUrl } = await upload(PICTURE)
  const before = mediaUrl.replace('https://fanfare.test', 'http://127.0.0.1:3000')
  const sandboxed = await world.account('pinterest')
  const { runId } = (
    await call('POST', '/posts', { mediaUrl: before, mediaType: 'image', selections: { pinterest: [sandboxed] } })
  ).body
  await service.drain()
  t.match((await call('GET', `/posts/${String(runId)}`)).body, { status: 'published' })
  const { body } = await world.http.request(`${world.sandbox.url}/_control/posts?platform=pinterest`)
  t.match(JSON.parse(Buffer.from(body).toString()), [{ mediaUrl }])

  const own = publicMedia({ log: world.log, url: () => 'http://127.0.0.1:3000', isPublic: false })
  const image = (url: string) => [{ url, type: 'image' }] as const
  const { pinterest, bluesky } = world.platforms
  t.equal(
    await own.whyOutOfReach(pinterest, {}, image(before)),
    'Pinterest fetches the image from this server, which it cannot reach: set PUBLIC_URL.',
  )
  t.equal(await own.whyOutOfReach(bluesky, {}, image(before)), undefined)
  t.equal(await own.whyOutOfReach(pinterest, {}, image('https://example.com/a.jpg')), undefined)
  const reachable = publicMedia({ log: world.log, url: () => 'https://fanfare.example.com', isPublic: true })
  t.equal(await reachable.whyOutOfReach(pinterest, {}, image(before)), undefined)
  const foreign = before.replace(/\/media\/\w/, (start) => (start.endsWith('0') ? '/media/1' : '/media/0'))
  t.same(await reachable.atPresent(image(foreign), [], pinterest, {}), image(foreign), 'another installation’s file')
})

t.test('given a crash at any point of an upload, then it goes on, or its file is deleted', async (t) => {
  const { api, start, put, world, clock, service, files, call } = await givenUploads(t)
  const crash = (why: string) => async () => Promise.reject(new Error(`crashed ${why}`))
  const failing = (type: string): EventLog => ({
    ...world.log,
    append: async (stream, events, expected) => {
      if (events.some((event) => event.type === type)) throw new Error(`crashed before ${type}`)
      return world.log.append(stream, events, expected)
    },
  })
  const { log, mediaStore: store, partialFiles: partial } = world
  const seen = SEEN
  const crashes = {
    'before the file is stored': createUploads({
      ...{ log, clock, seen, files: partial, store: { ...store, put: crash('before it was stored') } },
    }),
    'between the file and the event': createUploads({
      ...{ clock, seen, store, files: partial, log: failing('UploadCompleted') },
    }),
    'between the event and the cleanup': createUploads({
      ...{ log, clock, seen, store, files: { ...partial, delete: crash('before the cleanup') } },
    }),
  }
  for (const [when, uploads] of Object.entries(crashes)) {
    const dying = await api.server({ services: { uploads: { ...UPLOADS, ...uploads } } })
    for (const goesOn of [true, false]) {
      const { uploadId, uploadUrl } = await start(CLIP, { contentType: 'video/mp4' })
      t.equal((await put(uploadUrl, ...part(CLIP, 0, 99))).status, 308)
      t.equal((await put(uploadUrl, ...part(CLIP, 100, CLIP.length - 1), dying.app)).status, 500, when)
      if (goesOn) {
        const resumed = await put(uploadUrl, undefined, { 'content-range': `bytes */${CLIP.length}` })
        t.match(resumed, { body: { status: 'ready' } }, when)
        t.match((await call('GET', `/media/${uploadId}`)).body, { status: 'ready' })
        t.equal((await call('DELETE', `/media/${uploadId}`)).status, 204)
      } else {
        await clock.advanceTo(clock.now() + 8 * DAY_MS)
        await service.step()
      }
      await service.drain()
      await partial.sweep(0)
      t.same(await files(), [], `${when}: nothing is left on the disk`)
    }
  }
  const book = intentBook()
  for await (const delivery of world.log.subscribe(START, { categories: CATEGORIES })) {
    if (delivery.kind === 'caught-up') break
    t.same(
      delivery.events.flatMap((event) => book.missing(event) ?? []),
      [],
    )
  }
})

t.test('given uploads and their use, then what is not used is deleted in time, and what is used is kept', async (t) => {
  const { call, start, put, upload, clock, service, files } = await givenUploads(t)
  const { uploadUrl, uploadId: broken } = await start(PICTURE)
  await put(uploadUrl, ...part(PICTURE, 0, 9))
  const unused = await upload(PICTURE)
  const scheduled = await upload(PICTURE)
  const canceled = await upload(PICTURE)
  const body = { mediaType: 'image', selections: { x: ['acc_none'] }, date: '2099-12-31' }
  const schedule = async ({ mediaUrl }: Started) =>
    String((await call('POST', '/posts/scheduled', { ...body, mediaUrl })).body['id'])
  const [second, thumbnail] = [await upload(PICTURE), await upload(PICTURE)]
  const [own, ofPart] = [await upload(PICTURE), await upload(PICTURE)]
  const media = [
    { url: scheduled.mediaUrl, type: 'video', thumbnailUrl: thumbnail.mediaUrl },
    { url: second.mediaUrl, type: 'image' },
  ]
  const platformOptions = { youtube: { thumbnailUrl: own.mediaUrl } }
  const edited = await schedule(canceled)
  t.equal((await call('PATCH', `/scheduled-posts/${edited}`, { media, platformOptions })).status, 200)
  const parts = [{ text: 'One' }, { text: 'Two', media: [{ url: ofPart.mediaUrl, type: 'image' }] }]
  await call('POST', '/posts/chain', { parts, selections: body.selections, date: body.date })
  for (const { uploadId } of [scheduled, second, thumbnail, own, ofPart]) {
    t.equal((await call('DELETE', `/media/${uploadId}`)).status, 409, 'an edit uses each of its media')
  }
  const cover = await upload(PICTURE)
  const options = { platformOptions: { instagram: { coverUrl: cover.mediaUrl } } }
  const covered = await call('POST', '/posts/scheduled', { ...body, mediaUrl: scheduled.mediaUrl, ...options })
  t.equal(covered.status, 201)
  t.equal((await call('DELETE', `/media/${cover.uploadId}`)).status, 409, 'an option uses it')
  t.equal((await call('DELETE', `/scheduled-posts/${String(covered.body['id'])}`)).status, 204)
  t.equal((await call('DELETE', `/media/${cover.uploadId}`)).status, 204)
  const canceledPost = await schedule(canceled)
  const refused = await call('DELETE', `/media/${canceled.uploadId}`)
  t.match(refused, { status: 409, body: { error: { message: /^The file is used by a scheduled post\./ } } })
  t.equal((await call('DELETE', `/scheduled-posts/${canceledPost}`)).status, 204)
  t.equal((await call('DELETE', `/media/${canceled.uploadId}`)).status, 204)
  t.equal((await call('DELETE', `/media/${canceled.uploadId}`)).status, 404)

  t.equal((await files()).length, 9)
  await clock.advanceTo(clock.now() + DAY_MS)
  await service.step()
  await service.drain()
  t.equal((await call('GET', `/media/${broken}`)).status, 404, 'an upload that was given up')
  t.equal((await put(uploadUrl, ...part(PICTURE, 10, 19))).status, 404)
  t.equal((await files()).length, 6)
  await clock.advanceTo(clock.now() + 6 * DAY_MS)
  await service.step()
  await service.drain()
  t.equal((await call('GET', `/media/${unused.uploadId}`)).status, 404)
  const kept = [scheduled, second, thumbnail, own, ofPart]
  const { media: listed } = z
    .object({ media: z.array(z.object({ id: z.string() })) })
    .parse((await call('GET', '/media')).body)
  t.same(listed.map(({ id }) => id).toSorted(), kept.map(({ uploadId }) => uploadId).toSorted())
  t.same((await files()).toSorted(), kept.map(({ mediaUrl }) => uploadedFileIn(mediaUrl)?.file).toSorted())
})

t.test('given a workspace whose media take all of their room, then what nothing needs makes room', async (t) => {
  const clock = movableClock()
  const size = PICTURE.length
  const { api, world, call, put, service } = await givenUploads(t, { clock })
  const mediaRoom = createMediaRoom({
    ...{ log: world.log, clock, maxBytes: 2 * size },
    keptMedia: (workspaceId) => keptMedia(world.db, workspaceId, clock.now()),
  })
  const { app } = await api.server({ services: { mediaRoom } })
  const key = await api.key()
  const ask = () =>
    app.inject({
      ...{ method: 'POST', url: '/v1/uploads', headers: { authorization: `Bearer ${key}` } },
      payload: { fileName: 'a.jpg', contentType: 'image/jpeg', sizeBytes: size },
    })
  const answers = await Promise.all([ask(), ask(), ask(), ask()])
  t.same(answers.map(({ statusCode }) => statusCode).toSorted(), [201, 201, 409, 409])
  const full = /use all of its \d+ MB \(MEDIA_STORE_MAX\)/
  t.match((await ask()).json(), { error: { code: 'failed_precondition', message: full } })
  const first = started.parse(answers.find(({ statusCode }) => statusCode === 201)?.json())
  await put(first.uploadUrl, PICTURE)
  t.equal((await ask()).statusCode, 409, 'what was uploaded is about to be used')
  const post = {
    mediaUrl: first.mediaUrl,
    mediaType: 'image',
    selections: { bluesky: [await world.account('bluesky')] },
  }
  await call('POST', '/posts', post)
  await service.drain()
  t.equal((await ask()).statusCode, 201, 'what was published can go')
  t.equal((await call('GET', `/media/${first.uploadId}`)).status, 404)
})

t.test('given an upload that becomes visible while another one asks for space, then both are counted', async (t) => {
  const { log, clock } = await givenWorld(t)
  const added: Promise<void>[] = []
  const keptMedia = async () => {
    // A read that began before the first upload was visible, and ended after it.
    await Promise.all(added)
    return []
  }
  const room = createMediaRoom({ log, clock, maxBytes: 10, keptMedia })
  added.push(room.adding('ws_1', 'med_1', { name: 'one', bytes: 10 }, async () => undefined))
  const second = room.adding('ws_1', 'med_2', { name: 'two', bytes: 10 }, async () => undefined)
  await t.rejects(second, { code: 'failed_precondition' })
})

const REQUEST_MS = 800
const SILENT_MS = 3 * REQUEST_MS

t.test(
  'given an upload that takes longer than a request may, then it is not cut off, and curl resumes it',
  async (t) => {
    const { api, start, call, world } = await givenUploads(t)
    const uploads = createUploads({ ...world, store: world.mediaStore, files: world.partialFiles, seen: SEEN })
    const receive: typeof uploads.receive = async (...given) => {
      const received = await uploads.receive(...given)
      // A store that takes longer than a connection may be silent.
      if (received.status !== 'incomplete' && received.isNew) await pause(SILENT_MS)
      return received
    }
    const services = { uploads: { ...UPLOADS, ...uploads, receive } }
    const server = await api.server({ requestTimeoutMs: REQUEST_MS, services })
    const port = await server.listen()
    const { uploadUrl, uploadId } = await start(CLIP, { contentType: 'video/mp4', fileName: 'clip.mp4' })
    const { pathname } = new URL(uploadUrl)
    const url = `http://127.0.0.1:${port}${pathname}`
    const path = join(t.testdir(), 'clip.mp4')
    await writeFile(path, CLIP)
    const curl = async (...options: readonly string[]) => {
      const { stdout } = await promisify(execFile)('curl', ['-sS', '-i', '-T', path, ...options, url])
      return stdout
    }

    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `PUT ${pathname} HTTP/1.1\r\nHost: fanfare.test\r\nContent-Length: ${CLIP.length}\r\n\r\n`
    socket.write(Buffer.from(head, 'latin1'))
    const arrived = async (bytes: number) => {
      while ((await world.partialFiles.size(uploadId)) < bytes) await pause(10)
    }
    let sent = 0
    // Until the checks for slow requests, one a second at most, have come round several times.
    for (const end = performance.now() + 4 * REQUEST_MS; performance.now() < end; sent += 1) {
      socket.write(CLIP.subarray(sent, sent + 1))
      await pause(50)
    }
    await arrived(sent)
    t.equal(socket.destroyed, false, 'still connected')
    socket.destroy()
    let asked = ''
    while (!asked.includes(' 308 ')) {
      asked = await promisify(execFile)('curl', ['-sS', '-i', '-X', 'PUT', '-H', 'Content-Range: bytes */*', url]).then(
        ({ stdout }) => stdout,
      )
    }
    t.match(asked.toLowerCase(), `range: bytes=0-${sent - 1}`)
    t.match(await curl('-C', String(sent)), / 201 Created/)
    t.match((await call('GET', `/media/${uploadId}`)).body, {
      status: 'ready',
      sizeBytes: CLIP.length,
      durationMs: 1200,
    })
    t.match(await curl(), / 200 OK/, 'the whole file again is no error')
  },
)

t.test('given media in a bucket, when a file is uploaded in parts, then the bucket has it', async (t) => {
  const { api, world, clock, start, put, files } = await givenUploads(t)
  const { url } = await s3Server(t)
  const keys = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET_ACCESS_KEY }
  const bucket = { bucketUrl: `${url}/${BUCKET}`, region: REGION, ...keys }
  const store = s3Store(bucket, { http: client(t), clock: systemClock })
  const uploads = createUploads({ ...{ log: world.log, clock, store, files: world.partialFiles }, seen: SEEN })
  const { app } = await api.server({ services: { uploads: { ...UPLOADS, ...uploads } } })
  const { uploadUrl, mediaUrl } = await start(CLIP, { contentType: 'video/mp4' })
  t.equal((await put(uploadUrl, ...part(CLIP, 0, 99), app)).status, 308)
  t.equal((await put(uploadUrl, ...part(CLIP, 100, CLIP.length - 1), app)).status, 201)
  const { signal } = new AbortController()
  const stored = await store.find(uploadedFileIn(mediaUrl)?.file ?? '', signal)
  t.same(Buffer.concat((await (await stored?.open(undefined, signal))?.toArray()) ?? []), CLIP)
  t.same(await files(), [], 'nothing is left on this disk')
})

t.test('given a workspace with uploads, when it is closed and erased, then its files are gone', async (t) => {
  const { world, start, put, upload, service, files } = await givenUploads(t)
  await upload(PICTURE)
  const { uploadUrl } = await start(PICTURE)
  await put(uploadUrl, ...part(PICTURE, 0, 9))
  t.equal((await files()).length, 2)
  await endWorkspace(world, world.workspaceId, causedBy('end'))
  await service.drain()
  t.same(await files(), [])
})
