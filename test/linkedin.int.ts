import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import t from 'tap'
import type { Http } from '../infra/http/http.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import { linkedin } from '../platforms/linkedin/index.ts'
import { documentTitle } from '../platforms/linkedin/document-title.ts'
import { fromLittle, toLittle } from '../platforms/linkedin/little.ts'
import type { PublishHandle, PublishJob } from '../platforms/kit/platform.ts'
import { linkedinStandIn } from '../packages/sandbox/linkedin.ts'
import { shownText } from '../packages/sandbox/linkedin/little.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { publish } from './support/connector.ts'
import { compound, docx, pdf, pptx } from './support/documents.ts'
import {
  answer,
  givenScene,
  live,
  looks,
  mediaFile,
  MEMBER,
  ready,
  refusal,
  script,
  scripted,
} from './support/linkedin.ts'
import {
  accountOf,
  givenAccount,
  givenHttp,
  givenSandbox,
  ioOf,
  memoryCredentials,
  postJson,
} from './support/sandbox.ts'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
/** Bytes in use, garbage apart. */
function held(): number {
  // Buffers found to be garbage are given back a moment later, at the latest by the next collection.
  for (let n = 0; n < 2; n += 1) if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What the stand-in knows of a video in parts: the digest of the parts' digests, in order. */
function partDigests(content: Iterable<Buffer>, partBytes: number) {
  const whole = createHash('sha256')
  let part = createHash('sha256')
  let parts = 0
  let bytes = 0
  const close = () => {
    whole.update(part.digest())
    part = createHash('sha256')
    parts += 1
  }
  for (let chunk of content) {
    while (chunk.length > 0) {
      const room = partBytes - (bytes % partBytes)
      const piece = chunk.subarray(0, room)
      part.update(piece)
      bytes += piece.length
      chunk = chunk.subarray(piece.length)
      if (piece.length === room) close()
    }
  }
  if (bytes % partBytes > 0) close()
  return { parts, bytes, sha256: whole.digest('hex') }
}

for (const author of [undefined, MEMBER]) {
  for (const [mediaType, file] of [
    ['image', 'sample.jpg'],
    ['video', 'sample.mp4'],
    ['document', 'sample.pdf'],
  ] as const) {
    const who = author ? 'a member' : 'a page'
    t.test(`given ${who}, when ${mediaType} posts are published, then they are live as asked`, async (t) => {
      const scene = await givenScene(t, author)
      const { sandbox, io, account } = scene
      const mediaUrl = `${sandbox.url}/media/${file}`
      const job = { ...scene.job, mediaType, mediaUrl, text: 'A (very) fine_day* [@ home] #sun 🌞\n\\o/ #two_words' }
      const handle = await ready(job, scene)
      t.same(readdirSync(scene.directory), [], 'the spooled media are gone')
      t.ok(JSON.stringify(handle).length < 300)
      t.same(live(scene), [], 'nothing is visible yet')

      const { postId, url } = await publish(linkedin, job, handle, io)
      t.match(postId, /^urn:li:share:\d{19}$/)
      t.equal(url, `https://www.linkedin.com/feed/update/${postId}/`)
      const [post, ...others] = live(scene)
      t.same(others, [])
      t.match(post, { id: postId, accountId: account.externalId, caption: job.text, mediaType })
      const urn = String(handle['asset'])
      const bytes = mediaFile(file)
      t.match(sandbox.ledger.media('linkedin', urn), { mediaType, bytes: bytes.length, sha256: sha256(bytes) })
    })
  }
}

t.test('given who can see a post and a title, then it has both, and what LinkedIn refuses is named', async (t) => {
  const scene = await givenScene(t, MEMBER)
  const job = { ...scene.job, options: { visibility: 'CONNECTIONS', title: 'How to bake' } }
  await publish(linkedin, job, await ready(job, scene), scene.io)
  t.match(live(scene), [{ details: { visibility: 'CONNECTIONS', title: 'How to bake' } }])

  const page = await givenScene(t)
  const url = page.job.mediaUrl
  const two = [1, 2].map(() => ({ url, type: 'image' as const }))
  for (const [wrong, message] of [
    [{ options: { visibility: 'CONNECTIONS' } }, /Posts of a LinkedIn page are PUBLIC/],
    [{ options: { visibility: 'FRIENDS' } }, /options for LinkedIn are invalid.*PUBLIC or CONNECTIONS.*visibility/s],
    [{ options: { title: 'Two' }, media: two }, /a title only with a video or one image/],
    [{ options: { documentTitle: 'One' } }, /a documentTitle only with a document/],
    [{ options: { title: 'One' }, mediaType: 'document' }, /title of a document on LinkedIn is its documentTitle/],
    [{ media: [{ url, type: 'document' }, ...two] }, /takes a document only by itself; this post has 3 items/],
  ] as const) {
    const error = await refusal(linkedin.prepare({ ...page.job, ...wrong }, page.io, undefined))
    t.match(error, { kind: 'permanent', message })
  }
  t.same(page.proxy.calls, [])
})

t.test('given a document, then it has the title of the post, or else one from its text or its file', async (t) => {
  const scene = await givenScene(t)
  const at = (url: string) => ({ ...scene.job, mediaType: 'document' as const, mediaUrl: url })
  const hosted = `${scene.sandbox.url}/media/sample.pdf`
  const upload = `https://fanfare.example.com/media/${'0'.repeat(58)}.pdf`
  for (const [job, title] of [
    [{ ...at(hosted), options: { documentTitle: 'Three days' } }, 'Three days'],
    [{ ...at(hosted), text: '  How to bake (rye)\n\nIn three days #bread' }, 'How to bake (rye)'],
    [{ ...at(hosted), text: `${'word '.repeat(20)}\nmore` }, `${'word '.repeat(11).trim()}…`],
    [{ ...at(`${hosted}?v=2`), text: ' ' }, 'sample'],
    [{ ...at('https://example.com/Q3%20report.final.pptx'), text: '' }, 'Q3 report.final'],
    [{ ...at('https://example.com/50%25%.pdf'), text: '' }, '50%25%'],
    [{ ...at('https://example.com/'), text: '' }, 'Document'],
    [{ ...at(upload), text: '' }, 'Document'],
  ] as const) {
    t.equal(job.options?.documentTitle ?? documentTitle(job), title)
  }
  const job = { ...at(hosted), options: { documentTitle: 'Three days' } }
  await publish(linkedin, job, await ready(job, scene), scene.io)
  await publish(linkedin, at(hosted), await ready(at(hosted), scene), scene.io)
  t.match(live(scene), [
    { mediaType: 'document', details: { title: 'Three days' } },
    { mediaType: 'document', details: { title: 'Hello (there) #fanfare' } },
  ])
})

t.test('given a document that is none, or that LinkedIn would not take, then it is refused, named', async (t) => {
  const scene = await givenScene(t)
  const page = 'accepts documents of at most 300 pages; this one has 301.'
  for (const [media, type, message] of [
    [pdf(301), 'document', `LinkedIn ${page}`],
    [
      pdf(3).subarray(0, 200),
      'document',
      'the media is a damaged document (application/pdf), but a document was expected',
    ],
    [mediaFile('sample.jpg'), 'document', 'the media is an image (image/jpeg), but a document was expected'],
    [mediaFile('sample.pdf'), 'image', 'the media is a document (application/pdf), but an image was expected'],
    [mediaFile('sample.pdf'), 'video', 'the media is a document (application/pdf), but a video was expected'],
    [compound('Workbook'), 'document', 'the media is a file of type application/x-cfb, but a document was expected'],
  ] as const) {
    const error = await refusal(linkedin.prepare(scene.withMedia(media, type), scene.io, undefined))
    t.match(error, { kind: 'permanent', message })
  }
  t.same(scene.proxy.calls, [])
  for (const media of [docx(), pptx(), compound('WordDocument'), compound('PowerPoint Document'), pdf(300)]) {
    const job = { ...scene.withMedia(media, 'document'), text: String(media.length) }
    await publish(linkedin, job, await ready(job, scene), scene.io)
  }
  t.equal(live(scene).length, 5)
})

t.test('the stand-in takes a document only as LinkedIn does', async (t) => {
  const scene = await givenScene(t)
  const { http, io, job, account } = scene
  const call = (path: string, body: object) =>
    http.request(`${account.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'linkedin-version': '202609', 'x-restli-protocol-version': '2.0.0' },
        authorization: `Bearer ${account.credentials['accessToken'] ?? ''}`,
      },
      body: JSON.stringify(body),
    })
  const begin = (owner: string) =>
    call('/rest/documents?action=initializeUpload', { initializeUploadRequest: { owner } })
  const post = (media: object) =>
    call('/rest/posts', {
      ...{ author: account.externalId, commentary: 'Hi', visibility: 'PUBLIC', lifecycleState: 'PUBLISHED' },
      ...{ content: { media }, isReshareDisabledByAuthor: false },
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    })
  const elsewhere = await begin('urn:li:organization:1')
  t.match(elsewhere, { status: 403 }, 'of another page')
  t.match(elsewhere.json(), { message: /^Accessing this document resource is forbidden/ })
  const document = scene.withMedia(mediaFile('sample.pdf'), 'document')
  const { account: own } = document
  const error = await refusal(
    linkedin.prepare({ ...document, account: { ...own, externalId: 'urn:li:organization:1' } }, io, undefined),
  )
  t.match(error, { kind: 'forbidden', message: /lacks a permission, or the member lacks the role on the page/ })
  const begun = (await begin(account.externalId)).json()
  t.match(begun, { value: { uploadUrl: String, uploadUrlExpiresAt: Number, document: /^urn:li:document:/ } })
  const { document: id } = (begun as { value: { document: string } }).value
  const early = await post({ id, title: 'Early' })
  t.match(early, { status: 400 })
  t.match(early.json(), { code: 'MEDIA_ASSET_WAITING_UPLOAD' }, 'before its bytes are there')

  const handle = await ready(
    { ...job, mediaUrl: `${scene.sandbox.url}/media/sample.pdf`, mediaType: 'document' },
    scene,
  )
  const untitled = await post({ id: handle['asset'] })
  t.match(untitled, { status: 422 })
  t.match(untitled.json(), { message: /content\/media\/title/ })
  t.match(await post({ id: handle['asset'], title: 'Rye' }), { status: 201 })
  t.match(
    await refusal(looks(scene.withMedia(scripted('sample.pdf', 'failed:no pages'), 'document'), io, scene.clock)),
    {
      kind: 'permanent',
      message: 'LinkedIn could not process the document: no pages.',
    },
  )
})

t.test('given a video of 60 MB, then it goes up in order, part by part, through little memory', async (t) => {
  const scene = await givenScene(t)
  const clip = mediaFile('sample.mp4')
  const size = 60_000_000
  const brand = clip.subarray(0, clip.readUInt32BE(0))
  const head = Buffer.concat([brand, Buffer.alloc(4), Buffer.from('mdat')])
  head.writeUInt32BE(size + 8, brand.length)
  const index = clip.subarray(clip.indexOf('moov') - 4)
  // No two parts are the same.
  const chunks = Array.from({ length: 7 }, (_, n) => Buffer.alloc(60_000, `${n},`))
  const file = function* (): Generator<Buffer> {
    yield head
    for (let n = 0; n < size / 60_000; n += 1) yield chunks[n % chunks.length] ?? head
    yield index
  }
  const job = scene.withMedia((_request, response) => void Readable.from(file()).pipe(response), 'video')

  const samples: number[] = []
  const http: Http = {
    ...scene.http,
    request: (url, request) => {
      if (request?.method === 'PUT' && /\/(?:4|9|14)$/.test(url)) samples.push(held())
      return scene.http.request(url, request)
    },
  }
  const before = held()
  const handle = await ready(job, { ...scene, io: { ...scene.io, http } })
  const grown = samples.map((bytes) => Math.round((bytes - before) / 1e6))
  t.equal(grown.length, 3)
  const [, median = Infinity] = grown.toSorted((a, b) => a - b)
  t.ok(median < 20, `grew by ${grown.join(' and ')} MB`)

  const digests = partDigests(file(), 4_194_304)
  t.equal(digests.parts, 15)
  const stored = scene.sandbox.ledger.media('linkedin', String(handle['asset']))
  t.match(stored, { bytes: digests.bytes, sha256: digests.sha256 }, 'every part, in the order of the file')
})

t.test('text of any kind is shown as it was written', async (t) => {
  t.test('given any text, then LinkedIn shows it whole, and it is known when it is read back', (t) => {
    const piece = fc.oneof(
      fc.constantFrom('\\', '|', '{', '}', '@', '[', ']', '(', ')', '<', '>', '#', '*', '_', '~', '#tag', '{hashtag|'),
      fc.constantFrom('a', '1', ' ', '\n', 'é', '🎺', 'word'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    const same = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      return shownText(toLittle(text)) === text && fromLittle(toLittle(text)) === text
    })
    t.doesNotThrow(() => fc.assert(same, { numRuns: 500 }))
    t.end()
  })
  for (const [text, little] of [
    ['#one #Zwei, (#3D)', String.raw`#one #Zwei, \(#3D\)`],
    ['#été_2 #日本', String.raw`#été\_2 #日本`],
    ['C# is not, nor #1, nor ##x, nor a#b', String.raw`C\# is not, nor \#1, nor \#\#x, nor a\#b`],
    ['https://x.example/a_b#top and /#top', String.raw`https://x.example/a\_b\#top and /\#top`],
    ['@[Acme](urn:li:organization:1)', String.raw`\@\[Acme\]\(urn:li:organization:1\)`],
  ] as const) {
    t.equal(toLittle(text), little)
  }
  t.equal(fromLittle(String.raw`{hashtag|\#|one} and {hashtag|#|two\_x} \(3\)`), '#one and #two_x (3)')
  t.equal(shownText('cut (here)'), 'cut ', 'the stand-in cuts as LinkedIn does')
})

t.test('every broken rule is named, with limit and value, before anything is called', async (t) => {
  const image: MediaFacts = { mediaType: 'image', mimeType: 'image/png', bytes: 1_000, width: 6_000, height: 6_000 }
  const video: MediaFacts = { mediaType: 'video', mimeType: 'video/mp4', bytes: 76_800, durationMs: 3_000 }
  const broken = (facts: MediaFacts | undefined, text = '') =>
    linkedin.check({ text, mediaType: facts?.mediaType ?? 'image' }, facts)
  for (const fine of [image, video, { ...video, durationMs: 1_800_000 }, { ...image, mimeType: 'image/gif' }]) {
    t.same(broken(fine, 'x'.repeat(3_000)), [])
  }
  t.same(broken(undefined, 'x'.repeat(3_001)), [
    'LinkedIn accepts texts of at most 3000 characters; this one has 3001 (an emoji counts as two or more).',
  ])
  t.same(broken({ ...image, mimeType: 'image/webp', width: 6_026 + 1, height: 6_000 }), [
    'LinkedIn accepts images as JPEG, PNG or GIF; this one is image/webp.',
    'LinkedIn accepts images of fewer than 36152320 pixels; this one has 36162000 (6027x6000).',
  ])
  t.same(broken({ ...video, mimeType: 'video/quicktime', bytes: 76_799, durationMs: 2_999 }), [
    'LinkedIn accepts videos as video/mp4; this one is video/quicktime.',
    'LinkedIn accepts videos of at least 76800 bytes; this one has 76799.',
    'LinkedIn accepts videos of 3 to 1800 seconds; this one is 2.999 seconds.',
  ])
  t.same(broken({ ...video, durationMs: 1_800_001 }), [
    'LinkedIn accepts videos of 3 to 1800 seconds; this one is 1800.001 seconds.',
  ])

  const { io, job, proxy, withMedia, directory } = await givenScene(t)
  const short = withMedia(mediaFile('sample.mp4').subarray(0, 0), 'video')
  const error = await refusal(linkedin.prepare({ ...job, text: 'x'.repeat(3_001) }, io, undefined))
  t.match(error, { kind: 'permanent', message: /accepts texts of at most 3000 characters; this one has 3001/ })
  t.match(await refusal(linkedin.prepare(short, io, undefined)), { kind: 'permanent' })
  t.match(linkedin.takes, {
    image: { maxBytes: 100_000_000 },
    video: { maxBytes: 500_000_000 },
    document: { maxBytes: 100_000_000 },
  })
  t.same(proxy.calls, [])
  t.same(readdirSync(directory), [])
})

t.test('each error while publishing is recognized, and nothing is live', async (t) => {
  const scene = await givenScene(t)
  const { job, io, proxy, account } = scene
  const handle = await ready(job, scene)
  const code = (name: string) => ({ errorDetails: { inputErrors: [{ code: name, description: 'x' }] }, message: 'why' })
  for (const [interception, expected] of [
    [
      answer(403, { code: 'ACCESS_DENIED', message: 'Not enough permissions' }),
      { kind: 'forbidden', message: /role on the page \(HTTP 403, Not enough/ },
    ],
    [
      answer(400, { code: 'MEDIA_ASSET_WAITING_UPLOAD', message: 'wait' }),
      { kind: 'retryable', retryAfterMs: 90_000, accountRests: false },
    ],
    [answer(400, { message: 'The asset is still being processed' }), { kind: 'retryable', retryAfterMs: 90_000 }],
    [answer(400, code('MEDIA_ASSET_PROCESSING_FAILED')), { kind: 'permanent', code: 'MEDIA_ASSET_PROCESSING_FAILED' }],
    [
      answer(400, code('FIELD_LENGTH_TOO_LONG')),
      { kind: 'permanent', code: 'FIELD_LENGTH_TOO_LONG', message: /, why\)\.$/ },
    ],
    [answer(400, { message: 'a MISSING_FIELD of it' }), { kind: 'permanent', code: 'MISSING_FIELD' }],
    [answer(400, { code: 'INVALID_VALUE_FOR_FIELD' }), { kind: 'permanent', message: /HTTP 400, INVALID_VALUE/ }],
    [answer(400, { code: 'INVALID_URN_TYPE' }), { kind: 'permanent' }],
    [answer(404, { message: 'gone' }), { kind: 'permanent' }],
    [answer(413), { kind: 'permanent', message: /too large for LinkedIn/ }],
    [answer(415), { kind: 'permanent', message: /of this type/ }],
    [answer(422, { code: 'UNPROCESSABLE_ENTITY', message: 'no' }), { kind: 'permanent' }],
    [
      answer(422, { message: 'Content is a duplicate of urn:li:share:7' }),
      { kind: 'permanent', message: /duplicate of an existing one.*duplicate of urn:li:share:7/ },
    ],
    [
      answer(426, { code: 'NONEXISTENT_VERSION', message: 'not active' }),
      { kind: 'permanent', message: /does not have the version .* set LINKEDIN_VERSION to a newer version/ },
    ],
    [answer(429, {}, { 'retry-after': '77' }), { kind: 'retryable', retryAfterMs: 77_000, accountRests: true }],
    [answer(429, { message: 'too fast' }), { kind: 'retryable', retryAfterMs: 900_000, accountRests: true }],
    [
      answer(429, { message: 'Resource level throttle MEMBER DAY limit for calls to this resource is reached.' }),
      { kind: 'retryable', retryAfterMs: Date.UTC(2026, 8, 11) - scene.clock.now(), accountRests: true },
    ],
    [answer(500, { message: 'still processing' }), { kind: 'ambiguous' }],
    [answer(503), { kind: 'ambiguous' }],
    [answer(504), { kind: 'ambiguous' }],
    [answer(599), { kind: 'ambiguous' }],
    [answer(408), { kind: 'ambiguous' }],
    [answer(302), { kind: 'permanent' }],
    [
      { kind: 'answer', status: 502, body: '<html>' },
      { kind: 'ambiguous', message: /HTTP 502/ },
    ],
    [{ kind: 'cut' }, { kind: 'ambiguous' }],
  ] as const) {
    proxy.next('/rest/posts', interception)
    const error = await refusal(publish(linkedin, job, handle, io))
    t.match(error, expected, JSON.stringify(interception))
    for (const secret of Object.values(account.credentials))
      t.notOk(`${error.message} ${String(error.cause)}`.includes(secret))
  }
  const elsewhere = (baseUrl: string) => ({ ...job, account: { ...job.account, baseUrl } })
  t.match(await refusal(publish(linkedin, elsewhere('http://127.0.0.1:1'), handle, io)), { kind: 'retryable' })
  t.match(await refusal(publish(linkedin, elsewhere('http://10.0.0.1'), handle, io)), { kind: 'permanent' })
  t.match(await refusal(publish(linkedin, job, { asset: 7 }, io)), {
    kind: 'permanent',
    message: /Publish the post again/,
  })
  t.same(live(scene), [])

  for (const [status, kind] of [
    [500, 'retryable'],
    [504, 'retryable'],
    [429, 'retryable'],
    [403, 'forbidden'],
  ] as const) {
    proxy.next('/rest/images', answer(status))
    t.match(await refusal(linkedin.prepare(job, io, undefined)), { kind }, `${status} to what nobody sees`)
  }
})

t.test('the faults of the stand-in are worded as LinkedIn words them', async (t) => {
  const scene = await givenScene(t)
  const { job, io } = scene
  const handle = await ready(job, scene)
  for (const [fault, expected, count] of [
    [{ kind: 'reject' }, { kind: 'permanent', message: /not allowed/ }, 0],
    [{ kind: 'rate_limit', retryAfterSeconds: 7 }, { kind: 'retryable', retryAfterMs: 7_000, accountRests: true }, 0],
    [{ kind: 'server_error' }, { kind: 'ambiguous' }, 0],
    [{ kind: 'token_expired', times: 4 }, { kind: 'needs-reauth' }, 0],
    [{ kind: 'accept_then_timeout' }, { kind: 'ambiguous' }, 1],
  ] as const) {
    script(scene, fault)
    t.match(await refusal(publish(linkedin, job, handle, io)), expected, fault.kind)
    t.equal(live(scene).length, count)
  }
})

t.test('given the same post again within ten minutes', async (t) => {
  t.test('when the first answer was lost, then a page finds its own post behind the refusal', async (t) => {
    const scene = await givenScene(t)
    const { job, io, proxy } = scene
    const handle = await ready(job, scene)
    proxy.next('/rest/posts', { kind: 'lose-answer' })
    t.match(await refusal(publish(linkedin, job, handle, io)), { kind: 'ambiguous' })
    const { postId } = await publish(linkedin, job, handle, io)
    t.same(
      live(scene).map(({ id }) => id),
      [postId],
    )

    proxy.next(
      '/rest/posts',
      answer(422, { code: 'DUPLICATE_POST', message: 'Content is a duplicate of urn:li:share:1' }),
    )
    proxy.next('/rest/posts', answer(503))
    const error = await refusal(publish(linkedin, job, handle, io))
    t.match(error, { kind: 'ambiguous' }, 'whose it is could not be seen: not taken for a failure')
  })
  t.test('then the error names the older post', async (t) => {
    const scene = await givenScene(t, MEMBER)
    const { job, io } = scene
    const handle = await ready(job, scene)
    const { postId } = await publish(linkedin, job, handle, io)
    const error = await refusal(publish(linkedin, job, handle, io))
    t.match(error, { kind: 'permanent', message: new RegExp(`may be this one.*${postId}`) })
    t.equal(live(scene).length, 1)
  })
})

t.test(
  'given a 201 whose header has no URN of a post, then it is published, under the name of its media',
  async (t) => {
    const scene = await givenScene(t)
    const handle = await ready(scene.job, scene)
    scene.proxy.next('/rest/posts', answer(201))
    t.same(await publish(linkedin, scene.job, handle, scene.io), { postId: handle['asset'] })
    scene.proxy.next('/rest/posts', answer(201, {}, { 'x-restli-id': 'urn%3Ali%3AugcPost%3A7123456789012345678' }))
    t.match(await publish(linkedin, scene.job, handle, scene.io), { postId: 'urn:li:ugcPost:7123456789012345678' })
  },
)

t.test('given processing that takes its time', async (t) => {
  t.test('then it is checked less and less often, and nothing is uploaded again', async (t) => {
    const { io, clock, proxy, withMedia } = await givenScene(t)
    const image = withMedia(scripted('sample.jpg', 'processing:3'))
    t.same((await looks(image, io, clock)).pauses, [3_000, 3_000, 3_000, 3_000])
    const video = withMedia(scripted('sample.mp4', 'processing:30'), 'video')
    const { pauses } = await looks(video, io, clock)
    t.same(pauses.slice(0, 6), [5_000, 5_000, 5_000, 5_000, 5_000, 6_250])
    t.ok(Math.max(...pauses) <= 60_000)
    t.equal(proxy.calls.filter((call) => call === 'images' || call === 'videos').length, 1 + 2)
  })
  t.test('when it never ends, then it is given up by the time of the kind', async (t) => {
    for (const [file, mediaType, minutes] of [
      ['sample.jpg', undefined, 2],
      ['sample.mp4', 'video', 15],
      ['sample.pdf', 'document', 10],
    ] as const) {
      const { io, clock, withMedia } = await givenScene(t)
      const job = withMedia(scripted(file, 'processing:1000000'), mediaType)
      const start = clock.now()
      const error = await refusal(looks(job, io, clock))
      t.match(error, {
        kind: 'permanent',
        message: new RegExp(`did not finish processing the .* within ${minutes} minutes`),
      })
      t.ok(clock.now() - start < (minutes + 1.1) * 60_000)
    }
  })
  t.test('when it fails, then the post has failed for that reason', async (t) => {
    const { io, clock, withMedia } = await givenScene(t)
    for (const [file, mediaType] of [
      ['sample.jpg', undefined],
      ['sample.mp4', 'video'],
    ] as const) {
      const job = withMedia(scripted(file, 'failed:too blurry'), mediaType)
      const error = await refusal(looks(job, io, clock))
      t.match(error, { kind: 'permanent', message: /could not process the (image|video): too blurry\./ })
    }
  })
  t.test('when the asset is gone, then it is uploaded again', async (t) => {
    const scene = await givenScene(t)
    const lost = { asset: 'urn:li:image:gone', uploadedAt: isoTime(scene.clock.now()) }
    const prepared = await linkedin.prepare(scene.job, scene.io, lost)
    t.equal(prepared.outcome, 'processing')
    t.not(prepared.handle['asset'], lost.asset)
    t.match(await linkedin.prepare(scene.job, scene.io, { foreign: true }), { outcome: 'processing' })
  })
  t.test('when a check fails, then the next attempt continues from there', async (t) => {
    const { io, job, proxy } = await givenScene(t)
    const { handle } = await linkedin.prepare(job, io, undefined)
    const path = encodeURIComponent(String(handle['asset']))
    proxy.next(path, answer(500))
    t.match(await refusal(linkedin.prepare(job, io, handle)), { kind: 'retryable' })
    await linkedin.prepare(job, io, handle)
    t.match(await linkedin.prepare(job, io, handle), { outcome: 'ready', handle })
  })
  t.test(
    'given a member, who may not look, then it is waited for, and tried again when it was too early',
    async (t) => {
      const scene = await givenScene(t, MEMBER)
      const { io, clock, proxy, withMedia } = scene
      const job = withMedia(scripted('sample.jpg', 'processing:3'))
      const { handle, pauses } = await looks(job, io, clock)
      t.same(pauses, [3_000, 2_000])
      t.equal(proxy.calls.filter((call) => call.startsWith('urn')).length, 1, 'refused once, not asked again')
      t.match(await refusal(publish(linkedin, job, handle, io)), { kind: 'retryable', retryAfterMs: 90_000 })
      await clock.advanceTo(clock.now() + 90_000)
      t.same(await looks(job, io, clock).then(() => linkedin.prepare(job, io, handle)), { outcome: 'ready', handle })
      await publish(linkedin, job, handle, io)
      t.equal(live(scene).length, 1)
    },
  )
})

t.test('given an upload that goes wrong', async (t) => {
  const scene = await givenScene(t)
  const { io, job, proxy } = scene
  const video = scene.withMedia(mediaFile('sample.mp4'), 'video')
  const size = mediaFile('sample.mp4').length
  const begun = (uploadInstructions: readonly object[]) => ({
    kind: 'answer' as const,
    status: 200,
    body: JSON.stringify({ value: { video: 'urn:li:video:1', uploadToken: '', uploadInstructions } }),
  })
  const whole = { uploadUrl: `${proxy.url}/part`, firstByte: 0, lastByte: size - 1 }
  const prepare = () => refusal(linkedin.prepare(video, io, undefined))

  for (const status of [401, 403, 404, 410]) {
    proxy.next('/rest/videos', begun([whole]))
    proxy.next('/part', answer(status, { code: 'EXPIRED_UPLOAD_URL' }))
    proxy.next('/part', answer(status))
    t.match(await prepare(), { kind: 'retryable', message: /will be started again/ }, `${status}: the URL is old`)
  }
  proxy.next('/rest/videos', begun([whole]))
  proxy.next('/part', answer(413))
  t.match(await prepare(), { kind: 'permanent' })

  for (const parts of [
    [{ ...whole, lastByte: size - 2 }],
    [{ ...whole, firstByte: 1 }],
    [
      { ...whole, lastByte: 9 },
      { ...whole, firstByte: 11 },
    ],
    [
      { ...whole, firstByte: 10 },
      { ...whole, lastByte: 9 },
    ],
  ]) {
    proxy.next('/rest/videos', begun(parts))
    t.match(await prepare(), { kind: 'retryable', message: /do not add up to the whole video/ })
  }
  proxy.next('/rest/videos', begun([whole]))
  proxy.next('/part', answer(200))
  proxy.next('/part', answer(200))
  t.match(await prepare(), { kind: 'retryable', message: /returned no ETag/ })
  proxy.next('/rest/videos', { kind: 'answer', status: 200, body: '{}' })
  t.match(await prepare(), { kind: 'retryable', message: /could not be read/ })

  // A part that fails once is sent again, and only it.
  proxy.next(
    '/rest/videos',
    begun([
      { ...whole, lastByte: 9 },
      { ...whole, firstByte: 10 },
    ]),
  )
  proxy.next('/part', { kind: 'cut' })
  proxy.next('/part', answer(200, {}, { etag: '"one"' }))
  proxy.next('/part', answer(200, {}, { etag: 'W/"two"' }))
  proxy.next('/rest/videos', answer(200))
  const before = proxy.calls.length
  t.match(await linkedin.prepare(video, io, undefined), { handle: { asset: 'urn:li:video:1' } })
  t.same(proxy.calls.slice(before), ['videos', 'part', 'part', 'part', 'videos'])
  t.same(readdirSync(scene.directory), [])

  const image = { value: { uploadUrl: `${proxy.url}/part`, image: 'urn:li:image:1' } }
  for (const [status, kind] of [
    [401, 'retryable'],
    [403, 'retryable'],
    [415, 'permanent'],
    [500, 'retryable'],
  ] as const) {
    proxy.next('/rest/images', { kind: 'answer', status: 200, body: JSON.stringify(image) })
    proxy.next('/part', answer(status))
    t.match(await refusal(linkedin.prepare(job, io, undefined)), { kind }, `${status} to an image`)
  }
})

t.test('given an access token that has ended', async (t) => {
  t.test('then it is renewed once by all who meet it, and the rotated refresh token is kept', async (t) => {
    const scene = await givenScene(t)
    const { http, clock, proxy, store, sandbox, account } = scene
    const refreshes = () => proxy.calls.filter((call) => call === 'accessToken').length
    const jobs = Array.from({ length: 6 }, (_, n) => ({ ...scene.job, key: crypto.randomUUID(), text: `post ${n}` }))
    const io = () => ioOf(http, store, { clock, media: scene.io.media })
    const handles: PublishHandle[] = []
    for (const job of jobs) handles.push(await ready(job, scene))

    script(scene, { kind: 'token_expired' })
    await Promise.all(jobs.map((job, n) => publish(linkedin, job, handles[n] ?? {}, io())))
    t.equal(refreshes(), 1)
    t.equal(live(scene).length, 6)
    const kept = await store.read()
    const { accessToken, refreshToken } = sandbox.ledger.account('linkedin', account.externalId)?.secrets ?? {}
    t.match(kept, { accessToken, refreshToken, clientId: account.credentials['clientId'] })
    t.not(refreshToken, account.credentials['refreshToken'])
    t.equal(kept['expiresAt'], isoTime(clock.now() + 5_184_000_000))

    await clock.advanceTo(clock.now() + 5_184_000_000 - 3_600_000 + 1)
    await Promise.all(jobs.map((job, n) => linkedin.prepare(job, io(), handles[n])))
    t.equal(refreshes(), 2, 'the second time ahead of its end')
    t.notOk(sandbox.faults.pending().length)
  })
  t.test('when there is no refresh token, then it is used to the end and then asks for a new connection', async (t) => {
    const scene = await givenScene(t)
    const { http, clock, proxy, account, job } = scene
    const { refreshToken: _, ...credentials } = account.credentials
    const io = ioOf(http, credentials, { clock, media: scene.io.media })
    const handle = await ready(job, { ...scene, io })
    await clock.advanceTo(clock.now() + 5_184_000_000 - 60_000)
    await publish(linkedin, job, handle, io)
    await clock.advanceTo(clock.now() + 60_000)
    t.match(await refusal(publish(linkedin, job, handle, io)), { kind: 'needs-reauth', message: /has expired/ })
    t.notOk(proxy.calls.includes('accessToken'))
    t.match(await refusal(publish(linkedin, job, handle, ioOf(http, {}, { clock }))), { kind: 'needs-reauth' })
  })
  t.test('when it cannot be renewed, then the error says whether the account must be connected again', async (t) => {
    const scene = await givenScene(t)
    const { http, clock, job, account } = scene
    const handle = await ready(job, scene)
    const stale = (more = {}) => ioOf(http, { ...account.credentials, accessToken: 'void', ...more }, { clock })
    for (const [fault, expected] of [
      [{ kind: 'reject' }, { kind: 'needs-reauth', message: /did not renew the access: .* Connect/ }],
      [{ kind: 'token_expired' }, { kind: 'needs-reauth' }],
      [{ kind: 'rate_limit' }, { kind: 'retryable', retryAfterMs: 30_000, accountRests: true }],
      [{ kind: 'server_error' }, { kind: 'retryable' }],
      [{ kind: 'accept_then_timeout' }, { kind: 'retryable' }],
    ] as const) {
      script(scene, { ...fault, call: 'refresh' })
      t.match(await refusal(publish(linkedin, job, handle, stale())), expected, fault.kind)
    }
    for (const wrong of [{ clientSecret: 'x' }, { clientId: 'x' }, { refreshToken: 'x' }]) {
      t.match(await refusal(publish(linkedin, job, handle, stale(wrong))), { kind: 'needs-reauth' })
    }
    const { clientId: _, ...half } = account.credentials
    const error = await refusal(publish(linkedin, job, handle, ioOf(http, { ...half, accessToken: 'void' }, { clock })))
    t.match(error, { kind: 'needs-reauth', message: /clientId and clientSecret/ })
    t.same(live(scene), [])
    await publish(linkedin, job, handle, stale())
    await clock.advanceTo(clock.now() + 31_536_000_000)
    t.match(await refusal(publish(linkedin, job, handle, stale())), { kind: 'needs-reauth' }, 'after a year')
  })
})

t.test('given a lost answer', async (t) => {
  const found = (outcome: string) => ({ outcome })
  t.test('then a page shows: found, absent, or unknown', async (t) => {
    const scene = await givenScene(t)
    const { job, io, clock, proxy, sandbox } = scene
    const handle = await ready(job, scene)
    const find = () => linkedin.find?.(job, handle, io) ?? t.fail('it is searchable')
    t.same(await find(), found('absent'))
    for (let n = 0; n < 120; n += 1) {
      const id = `urn:li:share:1${n}`
      const details = { commentary: `another ${n}`, media: `urn:li:image:${n}`, createdAt: clock.now() }
      const post = live(scene)[0] ?? {
        platform: 'linkedin',
        accountId: scene.account.externalId,
        caption: '',
        mediaUrl: '',
        mediaType: 'image',
        createdAt: '',
      }
      sandbox.ledger.addPost({ ...post, id, token: id, details })
      if (n === 5) await publish(linkedin, job, handle, io)
    }
    const ours = live(scene).find(({ caption }) => caption === job.text)
    const before = proxy.calls.length
    t.match(await find(), { outcome: 'found', found: { postId: ours?.id, url: String } })
    t.equal(proxy.calls.length - before, 4, 'looked for on every page that may have it')
    const other = { ...handle, asset: 'urn:li:image:another' }
    t.same(await linkedin.find?.(job, other, io), found('absent'), 'the same text with other media is not it')

    const read = { ...job, mediaUrl: `${sandbox.url}/media/sample.pdf`, mediaType: 'document' as const }
    const prepared = await ready(read, scene)
    proxy.next('/rest/posts', { kind: 'lose-answer' })
    t.match(await refusal(publish(linkedin, read, prepared, io)), { kind: 'ambiguous' })
    const id = live(scene).at(-1)?.id
    t.match(await linkedin.find?.(read, prepared, io), { outcome: 'found', found: { postId: id } })
    const since = Date.parse(job.queuedAt)
    t.match(await linkedin.findByContent?.(read, since, io), { outcome: 'found', found: { postId: id } })
    t.match(await linkedin.findByContent?.(job, since, io), { found: { postId: ours?.id } }, 'not taken for the image')
  })
  t.test('then what a page answers in doubt is unknown, never a guess', async (t) => {
    const scene = await givenScene(t)
    const { job, io, clock, proxy } = scene
    const handle = await ready(job, scene)
    const asset = handle['asset']
    const createdAt = clock.now()
    const ours = { id: 'urn:li:share:1', commentary: toLittle(job.text), content: { media: { id: asset } }, createdAt }
    const old = { ...ours, id: 'urn:li:share:0', content: {}, createdAt: createdAt - 3_600_000 }
    for (const [elements, expected] of [
      [[ours, old], { outcome: 'found', found: { postId: 'urn:li:share:1' } }],
      [[ours, ours, old], { outcome: 'found' }],
      [[{ ...ours, commentary: 'edited since' }, old], { outcome: 'found' }],
      [[ours, { ...ours, id: 'urn:li:share:2' }, old], { outcome: 'unknown' }],
      [[{ ...ours, content: {} }, old], { outcome: 'unknown' }],
      [[{ ...ours, content: 'x' }, old], { outcome: 'unknown' }],
      [[{ ...ours, content: {}, commentary: 'not ours' }, old], { outcome: 'absent' }],
      [['what', old], { outcome: 'unknown' }],
      [[old], { outcome: 'absent' }],
      [[{ ...ours, lifecycleState: 'PUBLISH_FAILED' }, old], { outcome: 'refused', error: /could not publish/ }],
    ] as const) {
      proxy.next('/rest/posts', answer(200, { elements }))
      t.match(await linkedin.find?.(job, handle, io), expected, JSON.stringify(elements))
    }
    for (const status of [400, 403, 404]) {
      proxy.next('/rest/posts', answer(status))
      t.same(await linkedin.find?.(job, handle, io), found('unknown'), `refused: ${status}`)
    }
    for (const status of [200, 429, 500]) {
      proxy.next('/rest/posts', answer(status))
      t.match(await refusal(linkedin.find?.(job, handle, io)), { kind: 'retryable' }, `${status}: to be asked again`)
    }
    const other = { ...ours, content: { media: { id: 'urn:li:image:x' } } }
    for (let page = 0; page < 10; page += 1) proxy.next('/rest/posts', answer(200, { elements: Array(50).fill(other) }))
    t.same(await linkedin.find?.(job, handle, io), found('unknown'), 'too many to look through')
  })
  t.test('then a member gets no guess, and nothing is called', async (t) => {
    const scene = await givenScene(t, MEMBER)
    const handle = await ready(scene.job, scene)
    const before = scene.proxy.calls.length
    t.same(await linkedin.find?.(scene.job, handle, scene.io), found('unknown'))
    t.equal(scene.proxy.calls.length, before)
  })
})

t.test('given an account that is to be connected', async (t) => {
  const scene = await givenScene(t)
  const { http, sandbox, io, account, proxy } = scene
  const { credentials, baseUrl, externalId } = account
  const member = await givenAccount(http, sandbox, 'linkedin', { externalId: MEMBER, label: 'Ada' })
  const { authorUrn: _, ...memberCredentials } = member.credentials

  t.same(await linkedin.connect(credentials, baseUrl, io), {
    externalId,
    label: `LinkedIn page ${externalId.slice('urn:li:organization:'.length)}`,
    credentials,
  })
  t.same(proxy.calls, ['posts', 'organizationsLookup'], 'harmless calls; the name is not for this token to read')
  t.same(await linkedin.connect(memberCredentials, baseUrl, io), {
    externalId: MEMBER,
    label: 'Ada',
    credentials: member.credentials,
  })
  const renewed = await linkedin.connect({ ...credentials, accessToken: 'void' }, baseUrl, io)
  t.equal(renewed.credentials['accessToken'], sandbox.ledger.account('linkedin', externalId)?.secrets['accessToken'])

  const fresh = renewed.credentials
  const { clientSecret: __, ...noSecret } = fresh
  for (const [given, kind, message] of [
    [{}, 'permanent', /accessToken/],
    [{ ...fresh, authorUrn: 'acme' }, 'permanent', /authorUrn/],
    [{ ...fresh, expiresAt: 'soon' }, 'permanent', /expiresAt/],
    [noSecret, 'permanent', /clientSecret are required with refreshToken/],
    [
      { ...fresh, authorUrn: 'urn:li:organization:1' },
      'permanent',
      /authorUrn: the token cannot read the posts of urn:li:organization:1/,
    ],
    [
      { ...fresh, authorUrn: 'urn:li:person:other' },
      'permanent',
      /authorUrn: the token belongs to urn:li:person:admin-\d+, not/,
    ],
    [{ accessToken: 'wrong' }, 'needs-reauth', /access token/],
    [{ ...fresh, accessToken: 'wrong', refreshToken: 'wrong' }, 'needs-reauth', /did not renew/],
  ] as const) {
    t.match(await refusal(linkedin.connect(given, baseUrl, io)), { kind, message }, JSON.stringify(message.source))
  }
  proxy.next('/v2/userinfo', answer(403))
  const error = await refusal(linkedin.connect(memberCredentials, baseUrl, io))
  t.match(error, { kind: 'permanent', message: /accessToken: the scopes openid and profile.* are required/ })
  for (const [name, field] of Object.entries(linkedin.credentials.shape)) t.ok(field.description, name)
  t.throws(() =>
    linkedinStandIn.issueCredentials('acme', {
      ...sandbox,
      clock: scene.clock,
      ids: { ulid: () => '', token: () => '' },
      baseUrl: () => '',
    }),
  )
})

t.test('given a stand-in that was restarted, then what was uploaded and posted is still there', async (t) => {
  const dataDir = t.testdir()
  const http = givenHttp(t)
  const first = await givenSandbox(t, { dataDir, standIns: [linkedinStandIn] })
  const account = await givenAccount(http, first, 'linkedin')
  const io = ioOf(http, account.credentials)
  const job: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('linkedin', account),
    mediaUrl: `${first.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Still here',
    queuedAt: isoTime(Date.now()),
  }
  const { handle } = await linkedin.prepare(job, io, undefined)
  await first.close()

  const again = await givenSandbox(t, { dataDir, standIns: [linkedinStandIn] })
  const moved = { ...job, account: { ...job.account, baseUrl: `${again.url}/linkedin` } }
  t.same(await linkedin.prepare(moved, io, handle), { outcome: 'ready', handle })
  t.same(await linkedin.find?.(moved, handle, io), { outcome: 'absent' })
  const published = await publish(linkedin, moved, handle, io)
  t.same(await linkedin.find?.(moved, handle, io), { outcome: 'found', found: published })
})

t.test('given a version that is set, when a post is published, then every call is of that version', async (t) => {
  const scene = await givenScene(t)
  const at = (version: string) => ({ ...scene.io, versions: new Map([['linkedin', version]] as const) })
  const handle = await ready(scene.job, { ...scene, io: at('202608') })
  await t.rejects(publish(linkedin, scene.job, handle, at('202512')), {
    kind: 'permanent',
    message: /Requested version 20251201 is not active/,
  })
  await publish(linkedin, scene.job, handle, at('202608'))
  t.equal(live(scene).length, 1)
})

t.test('the stand-in refuses what LinkedIn refuses', async (t) => {
  const scene = await givenScene(t)
  const { http, sandbox, account, job, io } = scene
  const member = await givenAccount(http, sandbox, 'linkedin', { externalId: MEMBER })
  const handle = await ready(job, scene)
  const asset = String(handle['asset'])
  const url = `${sandbox.url}/linkedin`
  const headers = (more: Record<string, string> = {}, of = account) => ({
    authorization: `Bearer ${of.credentials['accessToken']}`,
    'linkedin-version': '202609',
    'x-restli-protocol-version': '2.0.0',
    ...more,
  })
  const body = {
    author: account.externalId,
    commentary: 'x',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    content: { media: { id: asset } },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  }
  for (const [of, over, status, code] of [
    [body, { 'linkedin-version': '202508' }, 426, 'NONEXISTENT_VERSION'],
    [body, { 'linkedin-version': '202701' }, 426, 'NONEXISTENT_VERSION'],
    [body, { 'x-restli-protocol-version': '1.0.0' }, 400, 'ILLEGAL_ARGUMENT'],
    [body, { authorization: '' }, 401, 'EMPTY_ACCESS_TOKEN'],
    [body, { authorization: 'Bearer made-up' }, 401, 'INVALID_ACCESS_TOKEN'],
    [body, { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ ...body, author: MEMBER }, {}, 403, 'ACCESS_DENIED'],
    [{ ...body, mood: 'fine' }, {}, 400, 'UNPERMITTED_FIELD'],
    [{ ...body, visibility: 'ALL' }, {}, 400, 'INVALID_VALUE_FOR_FIELD'],
    [{ ...body, content: { media: { id: 'urn:li:image:none' } } }, {}, 400, 'INVALID_URN_ID'],
    [{ ...body, commentary: 'x'.repeat(3_001) }, {}, 400, 'FIELD_LENGTH_TOO_LONG'],
  ] as const) {
    const refused = await postJson(http, `${url}/rest/posts`, of, headers(over))
    t.equal(refused.status, status, code)
    t.match(refused.json(), { status, code, message: String })
  }
  const own = `${url}/rest/posts?q=author&author=${encodeURIComponent(account.externalId)}`
  const finder = { 'x-restli-method': 'FINDER' }
  for (const [path, over, of, status] of [
    [own, finder, account, 200],
    [own, {}, account, 400],
    [`${own}&mood=fine`, finder, account, 400],
    [own, finder, member, 403],
    [`${url}/rest/posts?q=author&author=${account.externalId}`, finder, account, 400],
    [`${url}/rest/images/${encodeURIComponent(asset)}`, {}, account, 200],
    [`${url}/rest/images/${encodeURIComponent(asset)}`, {}, member, 403],
    [`${url}/rest/images/${asset}`, {}, account, 400],
    [`${url}/rest/videos/${encodeURIComponent(asset)}`, {}, account, 404],
    [`${url}/rest/likes`, {}, account, 404],
  ] as const) {
    t.equal((await http.request(path, { headers: headers(over, of) })).status, status, path)
  }
  t.same(live(scene), [])

  const small = { owner: account.externalId, fileSizeBytes: 10, uploadCaptions: false, uploadThumbnail: false }
  const start = (kind: string, request: object, of = account) =>
    postJson(http, `${url}/rest/${kind}?action=initializeUpload`, { initializeUploadRequest: request }, headers({}, of))
  t.equal((await start('videos', small)).status, 400, 'less than 75 KB')
  t.equal((await start('images', { owner: account.externalId }, member)).status, 403)
  const { value } = (await start('images', { owner: account.externalId })).json() as { value: { uploadUrl: string } }
  const put = (more: Record<string, string>) =>
    http.request(value.uploadUrl, {
      method: 'PUT',
      body: mediaFile('sample.jpg'),
      headers: { 'content-type': 'image/jpeg', ...more },
    })
  t.equal((await put({})).status, 401, 'an image goes up under the token')
  await scene.clock.advanceTo(scene.clock.now() + 86_400_000)
  t.match((await put(headers())).json(), { status: 403, code: 'EXPIRED_UPLOAD_URL' })

  const video = { ...small, fileSizeBytes: 5_000_000 }
  const begun = (await start('videos', video)).json() as {
    value: {
      video: string
      uploadToken: string
      uploadInstructions: { uploadUrl: string; firstByte: number; lastByte: number }[]
    }
  }
  const file = Buffer.concat([mediaFile('sample.mp4'), Buffer.alloc(5_000_000 - mediaFile('sample.mp4').length)])
  const etags: string[] = []
  for (const { uploadUrl, firstByte, lastByte } of begun.value.uploadInstructions) {
    const part = (body: Buffer, more = {}) =>
      http.request(uploadUrl, { method: 'PUT', body, headers: { 'content-type': 'application/octet-stream', ...more } })
    const bytes = file.subarray(firstByte, lastByte + 1)
    t.equal((await part(bytes.subarray(1))).status, 400, 'not the bytes of the part')
    t.equal((await part(bytes, { 'content-type': 'video/mp4' })).status, 415)
    t.equal((await part(bytes, headers())).status, 400, 'a part takes no token')
    etags.push(((await part(bytes)).headers['etag'] ?? '').replaceAll('"', ''))
  }
  const { video: urn, uploadToken } = begun.value
  const finalize = (over: object) =>
    postJson(
      http,
      `${url}/rest/videos?action=finalizeUpload`,
      { finalizeUploadRequest: { video: urn, uploadToken, uploadedPartIds: etags, ...over } },
      headers(),
    )
  t.equal((await finalize({ uploadToken: 'x' })).status, 400)
  t.equal((await finalize({ uploadedPartIds: etags.slice(1) })).status, 400)
  t.equal((await finalize({ uploadedPartIds: [etags[0], etags[0]] })).status, 400)
  t.equal((await finalize({ video: 'urn:li:video:none' })).status, 404)
  t.equal((await finalize({ uploadedPartIds: etags.toReversed() })).status, 200, 'the wrong order is taken')
  const status = () =>
    http
      .request(`${url}/rest/videos/${encodeURIComponent(urn)}`, { headers: headers() })
      .then((answer) => answer.json())
  t.match(await status(), { status: 'PROCESSING' })
  t.match(await status(), { status: 'PROCESSING_FAILED', processingFailureReason: String }, 'and scrambles the video')
  await publish(
    linkedin,
    { ...job, account: accountOf('linkedin', account) },
    handle,
    ioOf(http, memoryCredentials(account.credentials), { clock: io.clock }),
  )
  t.equal(live(scene).length, 1)
})

t.test('given a text that LinkedIn refuses as a duplicate', async (t) => {
  const scene = await givenScene(t)
  const text: PublishJob = { ...scene.job, mediaUrl: '', mediaType: 'text', media: [] }
  const handle = await ready(text, scene)
  const postId = (await publish(linkedin, text, handle, scene.io)).postId

  await t.test('when there was no earlier attempt, then the other post is named', async (t) => {
    const error = await refusal(linkedin.publish(text, handle, scene.io))
    t.match(error, { kind: 'permanent', message: new RegExp(postId) })
  })

  await t.test('when there was one, then the post may be its own, and is looked for', async (t) => {
    const { handle: again } = await linkedin.prepare(text, scene.io, handle)
    t.match(await refusal(linkedin.publish(text, again, scene.io)), { kind: 'ambiguous' })
    t.match(await linkedin.find?.(text, again, scene.io), { outcome: 'found', found: { postId } })
    const ruledOut = async () => ({ ruledOut: new Set([postId]), doubt: 'none' as const })
    t.match(await linkedin.find?.(text, again, scene.io, ruledOut), { outcome: 'absent' })
  })
})
