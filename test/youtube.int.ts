import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { untilPacificMidnight } from '../platforms/youtube/pacific.ts'
import { youtube } from '../platforms/youtube/index.ts'
import { videoOptions } from '../platforms/youtube/options.ts'
import { titleOf } from '../platforms/youtube/text.ts'
import { HttpFailure, type Http } from '../infra/http/http.ts'
import { mediaSource } from '../platforms/kit/media-spool.ts'
import type { PublishHandle, Publishing } from '../platforms/kit/platform.ts'
import { startSandbox } from '../packages/sandbox/index.ts'
import { youtubeStandIn } from '../packages/sandbox/youtube.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { files } from './support/media-scene.ts'
import { httpServer } from './support/outbound-servers.ts'
import { prepare } from './support/connector.ts'
import { accountOf, givenAccount, givenHttp, ids, ioOf, memoryCredentials } from './support/sandbox.ts'
import {
  answer,
  CLIP,
  failure,
  givenChannel,
  googleError,
  hostOfVideo,
  isChunk,
  isLast,
  isProbe,
  later,
  MIB,
  settle,
} from './support/youtube.ts'

const HOUR_MS = 3_600_000
const WATCH = 'https://www.youtube.com/watch?v='

t.test('a video goes live with its text and settings, and not before its last byte', async (t) => {
  const scene = await givenChannel(t, { settings: { privacyStatus: 'unlisted', containsSyntheticMedia: 'false' } })
  const { job, io, live, sandbox } = scene
  const handle = await prepare(youtube, job, io)
  t.same(live(), [], 'a session is nothing to see')
  t.same(JSON.parse(JSON.stringify(handle)), handle, 'the handle is plain JSON')
  t.same(await files(scene.directory), [], 'the fetched media are disposed of')

  const looks: number[] = []
  const published = await settle(scene, handle, looks)
  t.same(looks, [15_000], 'it was still processed at the first look')
  const [video, ...others] = live()
  t.same(others, [])
  t.same(published, { postId: video?.id, url: `${WATCH}${video?.id}` })
  t.match(video, {
    caption: job.text,
    mediaType: 'video',
    details: {
      title: 'A walk',
      categoryId: '22',
      privacyStatus: 'unlisted',
      madeForKids: false,
      notifySubscribers: true,
      containsSyntheticMedia: false,
    },
  })
  t.match(sandbox.ledger.media('youtube', video?.id ?? ''), { bytes: CLIP.length, mimeType: 'video/mp4' })
  t.same(await files(scene.directory), [])
  t.same(scene.calls, [
    'POST /upload/youtube/v3/videos',
    `PUT /upload/youtube/v3/videos bytes */${CLIP.length}`,
    `PUT /upload/youtube/v3/videos bytes 0-${CLIP.length - 1}/${CLIP.length}`,
    'GET /youtube/v3/videos',
    `PUT /upload/youtube/v3/videos bytes */${CLIP.length}`,
    'GET /youtube/v3/videos',
  ])
})

t.test('settings that are not given are the usual ones, and all of them can be given', async (t) => {
  const plain = await givenChannel(t, { text: '' })
  await settle(plain, await prepare(youtube, plain.job, plain.io))
  t.match(plain.live(), [
    { caption: '', details: { title: 'Video', categoryId: '22', privacyStatus: 'public', madeForKids: false } },
  ])
  t.notOk(Object.hasOwn(plain.live()[0]?.details ?? {}, 'containsSyntheticMedia'))

  const settings = {
    privacyStatus: 'private',
    categoryId: '10',
    madeForKids: 'true',
    notifySubscribers: 'false',
    containsSyntheticMedia: 'true',
  }
  const other = await givenChannel(t, { settings })
  await settle(other, await prepare(youtube, other.job, other.io))
  t.match(other.live(), [
    {
      details: {
        categoryId: '10',
        privacyStatus: 'private',
        madeForKids: true,
        notifySubscribers: false,
        containsSyntheticMedia: true,
      },
    },
  ])
})

t.test('given options of a post, then the video has them, and otherwise what the account has', async (t) => {
  const scene = await givenChannel(t, {
    text: 'Said < elsewhere',
    settings: { privacyStatus: 'unlisted', madeForKids: 'true', categoryId: '10', notifySubscribers: 'false' },
  })
  const own = { title: 'A walk', description: 'In the park', tags: ['walks', 'a park'] }
  const options = { ...own, categoryId: '24', privacy: 'private', madeForKids: false, notifySubscribers: true }
  const job = { ...scene.job, options: { ...options, containsSyntheticMedia: true } }
  const io = scene.io
  await settle({ ...scene, job }, await prepare(youtube, job, io))
  const { privacy: privacyStatus, description: caption, ...details } = options
  t.match(scene.live().at(-1), { caption, details: { ...details, privacyStatus, containsSyntheticMedia: true } })

  const titled = { ...scene.job, text: 'In the park', options: { title: 'Another' } }
  await settle({ ...scene, job: titled }, await prepare(youtube, titled, io))
  const usual = { categoryId: '10', privacyStatus: 'unlisted', madeForKids: true, notifySubscribers: false }
  t.match(scene.live().at(-1), { caption: 'In the park', details: { title: 'Another', ...usual, tags: undefined } })

  scene.calls.length = 0
  for (const [wrong, message] of [
    [{ titel: 'x' }, /for YouTube are invalid.*Did you mean title\?/],
    [{ title: ' ' }, /must not be blank[^]*title/],
    [{ title: 'x'.repeat(101) }, /at most 100 characters[^]*title/],
    [{ description: 'ä'.repeat(2_501) }, /at most 5000 bytes[^]*description/],
    [{ description: '<b>' }, /must not contain < or >[^]*description/],
    [{ tags: ['x'.repeat(248), 'y'.repeat(250), 'z'] }, /at most 500 characters in all[^]*tags/],
    [{ tags: ['x'.repeat(250), `y ${'y'.repeat(246)}`] }, /at most 500 characters in all[^]*tags/],
    [{ categoryId: 'music' }, /must be a number, such as 22[^]*categoryId/],
    [{ privacy: 'friends' }, /privacy/],
    [{ madeForKids: 'true' }, /madeForKids/],
    [{ description: 'In the park' }, /does not accept < or > in a title or description; this caption contains </],
  ] as const) {
    const refused = prepare(youtube, { ...scene.job, options: wrong }, io)
    await t.rejects(refused, { ...failure('permanent'), message }, JSON.stringify(wrong).slice(0, 40))
  }
  t.same(scene.calls, [])
  const full = { ...scene.job, text: '', options: { tags: ['x'.repeat(250), 'y'.repeat(249)], categoryId: '22' } }
  t.ok(await prepare(youtube, full, io), 'YouTube takes as many characters of tags')
  const unknown = prepare(youtube, { ...full, options: { categoryId: '9999' } }, io)
  await t.rejects(unknown, { ...failure('permanent'), code: 'invalidCategoryId' })
})

t.test(
  'given a title and description of its own, when the session is forgotten, then the video is found',
  async (t) => {
    const scene = await givenChannel(t)
    const options = { title: 'Found', description: 'Again [sandbox forget=1]' }
    const lost = { ...scene, job: { ...scene.job, options } }
    const handle = await prepare(youtube, lost.job, scene.io)
    scene.fault({ kind: 'accept_then_timeout' })
    await t.rejects(youtube.publish(lost.job, handle, scene.io), failure('ambiguous'))
    t.equal((await settle(lost, handle)).postId, scene.live()[0]?.id)
    t.equal(scene.live().length, 1)
  },
)

t.test('the title is the first line that says something, 100 characters at most', async (t) => {
  for (const [text, title] of [
    ['\n \n  First \r\nSecond', 'First'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(99)}…`],
    [`${'x'.repeat(97)} yz and more`, `${'x'.repeat(97)} y…`],
    ['👨‍👩‍👧‍👦'.repeat(30), `${'👨‍👩‍👧‍👦'.repeat(9)}…`],
    [' \n', 'Video'],
  ] as const) {
    t.equal(titleOf(text), title)
  }
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(text, (text) => {
      const title = titleOf(text)
      return title.length > 0 && title.length <= 100 && !/[\r\n]|\p{Surrogate}/u.test(title)
    }),
  )
})

t.test('every broken rule is reported, with limit and value, and nothing is called', async (t) => {
  const rules = (text: string, durationMs?: number) => {
    const video = { mediaType: 'video', mimeType: 'video/mp4', bytes: 1 } as const
    const facts = durationMs === undefined ? undefined : { ...video, durationMs }
    return youtube.check({ text, mediaType: 'video' }, facts)
  }
  t.same(rules('ä'.repeat(2_500)), [])
  t.same(rules('ä'.repeat(2_501)), ['YouTube accepts descriptions of at most 5000 bytes; this caption has 5002.'])
  t.same(rules('I <3 you'), ['YouTube does not accept < or > in a title or description; this caption contains <.'])
  t.same(rules(Array.from({ length: 60 }, (_, n) => `#tag${n}`).join(' ')), [])
  t.match(rules(Array.from({ length: 61 }, (_, n) => `#tag${n}`).join(' ')), [/more than 60; this one has 61/])
  t.same(rules('', 12 * HOUR_MS), [])
  t.same(rules('', 12 * HOUR_MS + 1), ['YouTube accepts videos of at most 12 hours; this one is 12.01 hours.'])
  t.equal(rules(`${'x'.repeat(5_001)}>`, 13 * HOUR_MS).length, 3, 'all at once')

  const scene = await givenChannel(t)
  const { job, io } = scene
  const refused = (over: object, message: RegExp) =>
    t.rejects(prepare(youtube, { ...job, ...over }, io), { ...failure('permanent'), message })
  await refused({ mediaType: 'image' }, /^YouTube does not support image posts/)
  await refused({ text: 'x'.repeat(5_001) }, /at most 5000 bytes; this caption has 5001/)
  await refused({ mediaUrl: `${scene.sandbox.url}/media/sample.jpg` }, /a video was expected/)
  const large = await httpServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 256_000_000_001 }).write(CLIP)
  })
  await refused({ mediaUrl: large.url }, /too large: .* the limit is 256000 MB/)
  t.same(scene.calls, [])
  t.same(await files(scene.directory), [])
})

t.test('an account is connected with what its access can do', async (t) => {
  const scene = await givenChannel(t)
  const { account, io } = scene
  const { baseUrl, externalId, credentials } = account
  const connect = (over: Record<string, string | undefined> = {}) => {
    const given = Object.entries({ ...credentials, ...over }).filter((entry): entry is [string, string] => !!entry[1])
    return youtube.connect(Object.fromEntries(given), baseUrl, io)
  }
  const uploadsPlaylistId = externalId.replace(/^UC/, 'UU')
  t.same(await connect(), { externalId, label: 'Park Walks', credentials: { ...credentials, uploadsPlaylistId } })
  t.same(scene.calls, ['GET /youtube/v3/channels'], 'one harmless call')

  const renewed = await connect({ accessToken: 'an old one' })
  t.not(renewed.credentials['accessToken'], credentials['accessToken'])
  t.equal(renewed.credentials['refreshToken'], credentials['refreshToken'], 'Google does not rotate it')

  for (const [over, kind, message] of [
    [{ accessToken: undefined }, 'permanent', /accessToken/],
    [{ privacyStatus: 'friends' }, 'permanent', /privacyStatus/],
    [{ categoryId: 'music' }, 'permanent', /must be a number, such as 22[^]*categoryId/],
    [{ madeForKids: 'no' }, 'permanent', /madeForKids/],
    [{ clientSecret: undefined }, 'permanent', /clientId and clientSecret are required with refreshToken/],
    [{ accessToken: 'old', refreshToken: undefined }, 'needs-reauth', /Connect the account again/],
    [{ accessToken: 'old', clientSecret: 'wrong' }, 'permanent', /clientId or clientSecret is wrong.*invalid_client/],
    [{ accessToken: 'old', refreshToken: '1//unknown' }, 'needs-reauth', /invalid_grant/],
  ] as const) {
    await t.rejects(connect(over), { ...failure(kind), message }, JSON.stringify(over))
  }
  for (const body of [{ kind: 'youtube#channelListResponse' }, { items: [] }]) {
    scene.intercept(() => answer(200, body))
    await t.rejects(connect(), { ...failure('permanent'), message: /has no YouTube channel/ })
  }
  scene.intercept(() => answer(401, googleError('youtubeSignupRequired')))
  await t.rejects(connect(), { ...failure('permanent'), message: /has no YouTube channel/ })
  scene.intercept(() => answer(200, 'not JSON'))
  await t.rejects(connect(), failure('retryable'))
})

t.test('each reason for refusing a session is recognized', async (t) => {
  const rows = {
    permanent: [
      'youtubeSignupRequired',
      'authenticatedUserNotChannel',
      'authenticatedUserAccountClosed',
      'authenticatedUserAccountSuspended',
      'channelClosed',
      'channelSuspended',
      'invalidTitle',
      'invalidDescription',
      'invalidTags',
      'invalidCategoryId',
      'invalidVideoMetadata',
      'invalidPublishAt',
      'mediaBodyRequired',
      'invalidFilename',
      'forbiddenPrivacySetting',
      'forbiddenLicenseSetting',
      'forbidden',
      'accessNotConfigured',
      'neverHeardOf',
    ],
    'needs-reauth': ['authError'],
    forbidden: ['insufficientPermissions'],
    retryable: [
      'quotaExceeded',
      'dailyLimitExceeded',
      'uploadLimitExceeded',
      'rateLimitExceeded',
      'userRateLimitExceeded',
      'servingLimitExceeded',
      'internalError',
      'backendError',
    ],
  } as const
  const scene = await givenChannel(t)
  for (const kind of ['permanent', 'needs-reauth', 'forbidden', 'retryable'] as const) {
    for (const reason of rows[kind]) {
      const job = { ...scene.job, text: `[sandbox refuse=${reason}]` }
      const accountRests = /(quota|limit)Exceeded/i.test(reason)
      const expected = { ...failure(kind), message: new RegExp(`, Refused for ${reason}`), accountRests }
      await t.rejects(prepare(youtube, job, scene.io), expected, reason)
    }
  }
  t.same(scene.live(), [])

  const now = scene.clock.now()
  const wait = async (...told: Parameters<typeof answer>): Promise<number> => {
    scene.intercept(() => answer(...told))
    const error: { retryAfterMs?: number } = await prepare(youtube, scene.job, scene.io).catch((error: object) => error)
    return error.retryAfterMs ?? NaN
  }
  const untilMidnight = await wait(403, googleError('quotaExceeded'), { 'retry-after': '1' })
  t.ok(Math.abs(untilMidnight - untilPacificMidnight(now)) < 10_000)
  t.equal(await wait(400, googleError('uploadLimitExceeded')), 24 * HOUR_MS)
  t.equal(await wait(403, googleError('rateLimitExceeded'), { 'retry-after': '7' }), 7_000)
  t.equal(await wait(429, '<html>Too many</html>', { 'retry-after': '9' }), 9_000)
  t.equal(await wait(503, '', { 'retry-after': '11' }), 11_000)

  for (const [status, body, kind] of [
    [403, { error: { message: 'x', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } }, 'forbidden'],
    [403, { error: { message: 'x', details: [{ '@type': 'any' }, { reason: 'SERVICE_DISABLED' }] } }, 'permanent'],
    [429, { error: { message: 'x', status: 'RESOURCE_EXHAUSTED' } }, 'retryable'],
    [408, '', 'retryable'],
    [500, '<html>', 'retryable'],
    [502, '', 'retryable'],
    [504, '', 'retryable'],
    [404, '', 'permanent'],
    [302, '', 'permanent'],
    [200, '', 'retryable'],
  ] as const) {
    scene.intercept(() => answer(status, body))
    await t.rejects(prepare(youtube, scene.job, scene.io), failure(kind), `${status} ${JSON.stringify(body)}`)
  }
  scene.intercept(undefined)
  const at = (baseUrl: string) => ({ ...scene.job, account: { ...scene.job.account, baseUrl } })
  await t.rejects(prepare(youtube, at('http://127.0.0.1:1/youtube'), scene.io), failure('retryable'))
  await t.rejects(prepare(youtube, at('http://10.0.0.1/youtube'), scene.io), failure('permanent'))
})

t.test('quotas start over at midnight in California, whatever the day', (t) => {
  for (const [now, midnight] of [
    ['2026-07-01T12:00:00.250Z', '2026-07-02T07:00:00.000Z'],
    ['2026-12-01T07:59:59.999Z', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01T08:00:00.000Z', '2026-12-02T08:00:00.000Z'],
    ['2026-03-08T08:30:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['2026-11-01T07:30:00.000Z', '2026-11-02T08:00:00.000Z'],
  ] as const) {
    t.equal(untilPacificMidnight(Date.parse(now)), Date.parse(midnight) - Date.parse(now), now)
  }
  t.end()
})

t.test('an access that has ended is renewed once, by whoever meets it first', async (t) => {
  const scene = await givenChannel(t)
  const { job, io, store, sandbox, account } = scene
  const refreshes = () => scene.calls.filter((call) => call === 'POST /token').length
  const jobs = Array.from({ length: 6 }, () => ({ ...job, key: crypto.randomUUID() }))

  const known = sandbox.ledger.account('youtube', account.externalId)
  if (known) sandbox.ledger.saveAccount({ ...known, secrets: { ...known.secrets, accessToken: '' } })
  const handles = await Promise.all(jobs.map((each) => prepare(youtube, each, io)))
  t.equal(refreshes(), 1, 'six sessions under a void token, one renewal')

  scene.fault({ kind: 'token_expired' })
  const published = await Promise.all(
    handles.map((handle, index) => settle({ ...scene, job: { ...job, key: jobs[index]?.key ?? '' } }, handle)),
  )
  t.equal(refreshes(), 2, 'and one more when it ends under six uploads')
  t.equal(new Set(published.map(({ postId }) => postId)).size, 6)
  t.equal(scene.live().length, 6, 'what met 401 went out once all the same')
  t.same(await files(scene.directory), [], 'and its media were fetched and disposed of once')

  await later(scene, 56 * 60_000)
  await prepare(youtube, job, io)
  t.equal(refreshes(), 3, 'one that is about to end is renewed ahead')
  const stored = sandbox.ledger.account('youtube', account.externalId)?.secrets['accessToken']
  t.equal((await store.read())['accessToken'], stored, 'the new one is stored')

  scene.fault({ kind: 'token_expired', times: 4 })
  const handle = await prepare(youtube, job, io)
  await t.rejects(youtube.publish(job, handle, io), { ...failure('needs-reauth'), message: /Invalid Credentials/ })
  t.equal(scene.live().length, 6)
})

t.test('a renewal that fails says whether the account must be connected again', async (t) => {
  const scene = await givenChannel(t)
  const stale = { ...(await scene.store.read()), accessToken: 'void' }
  const renewed = (over: Record<string, string> = {}) =>
    prepare(youtube, scene.job, { ...scene.io, credentials: memoryCredentials({ ...stale, ...over }) })
  for (const [fault, expected] of [
    [
      { kind: 'rate_limit', retryAfterSeconds: 7 },
      { ...failure('retryable'), retryAfterMs: 7_000 },
    ],
    [{ kind: 'server_error' }, failure('retryable')],
    [{ kind: 'accept_then_timeout' }, failure('retryable')],
    [{ kind: 'reject' }, { ...failure('needs-reauth'), message: /Token has been expired or revoked/ }],
    [{ kind: 'token_expired' }, failure('needs-reauth')],
  ] as const) {
    scene.fault({ ...fault, call: 'refresh' })
    await t.rejects(renewed(), expected, fault.kind)
  }
  await t.rejects(renewed({ clientSecret: 'wrong' }), { ...failure('permanent'), message: /invalid_client/ })

  const token = (over: object) => (url: URL) =>
    url.pathname.endsWith('/token')
      ? answer(200, { access_token: 'a', expires_in: 3599, token_type: 'Bearer', ...over })
      : undefined
  scene.intercept(token({ scope: 'https://www.googleapis.com/auth/youtube.upload' }))
  await t.rejects(renewed(), {
    ...failure('needs-reauth'),
    message: /covers only .*youtube\.upload.*scope youtube\.readonly/,
  })
  scene.intercept(token({ access_token: '' }))
  await t.rejects(renewed(), failure('retryable'))

  const store = memoryCredentials(stale)
  scene.intercept(token({ refresh_token: 'another' }))
  await t.rejects(prepare(youtube, scene.job, { ...scene.io, credentials: store }), failure('needs-reauth'))
  t.match(await store.read(), { accessToken: 'a', refreshToken: 'another' }, 'a new refresh token is kept')
})

t.test('a large video goes in chunks, from wherever YouTube says', async (t) => {
  const video = await hostOfVideo(t, 20 * MIB + 4_321)
  for (const text of ['whole chunks', '[sandbox take=3407872]']) {
    const scene = await givenChannel(t, { text, mediaUrl: video.url })
    await settle(scene, await prepare(youtube, scene.job, scene.io))
    const [post, ...others] = scene.live()
    t.same(others, [])
    t.match(scene.sandbox.ledger.media('youtube', post?.id ?? ''), { sha256: video.sha256, bytes: 20 * MIB + 4_321 })
    const starts = scene.calls.flatMap((call) => /bytes (\d+)-/.exec(call)?.[1] ?? []).map(Number)
    t.equal(starts[1], text === 'whole chunks' ? 8 * MIB : 3_407_872)
  }
})

t.test('a chunk that breaks off is gone on with at once, and a video that gets no further later', async (t) => {
  const video = await hostOfVideo(t, 20 * MIB)
  const scene = await givenChannel(t, { mediaUrl: video.url })
  const { job, io, calls } = scene
  const second = `bytes ${8 * MIB}-`
  let breaks = 1
  scene.intercept((_url, { headers = {} }) => {
    if (!headers['content-range']?.startsWith(second) || breaks === 0) return undefined
    breaks -= 1
    return answer(503, googleError('backendError'))
  })
  const handle = await prepare(youtube, job, io)
  breaks = 3
  await t.rejects(youtube.publish(job, handle, io), {
    ...failure('retryable'),
    startOver: false,
    message: /backendError/,
  })
  t.equal(breaks, 1, 'it stood still twice')
  t.same(await files(scene.directory), [])
  calls.length = 0

  t.same(await prepare(youtube, job, io, handle), handle, 'the session is gone on with')
  await settle(scene, handle)
  t.equal(breaks, 0, 'and once more is no matter')
  t.notOk(
    calls.some((call) => call.includes('bytes 0-')),
    'what had arrived was not sent again',
  )
  t.equal(calls.includes('POST /upload/youtube/v3/videos'), false)
  const [post, ...others] = scene.live()
  t.same(others, [])
  t.equal(scene.sandbox.ledger.media('youtube', post?.id ?? '')?.sha256, video.sha256)

  scene.intercept((_url, { headers = {} }) =>
    headers['content-range']?.startsWith(second) ? answer(403, googleError('quotaExceeded')) : undefined,
  )
  const another = { ...job, key: crypto.randomUUID() }
  const limited = await prepare(youtube, another, io)
  await t.rejects(youtube.publish(another, limited, io), { ...failure('retryable'), accountRests: true })
  scene.intercept((_url, request) => (isChunk(request) ? answer(308, '') : undefined))
  await t.rejects(youtube.publish(another, limited, io), {
    ...failure('retryable'),
    message: /stopped accepting the video/,
  })
})

t.test('whatever the last byte is answered, a repeat finds or makes the one video', async (t) => {
  for (const [fault, expected, accepted] of [
    [{ kind: 'accept_then_timeout' }, failure('ambiguous'), true],
    [{ kind: 'server_error', accepted: true }, failure('ambiguous'), true],
    [{ kind: 'server_error' }, failure('ambiguous'), false],
    [
      { kind: 'rate_limit', retryAfterSeconds: 7 },
      { ...failure('retryable'), retryAfterMs: 7_000, accountRests: true },
      false,
    ],
    [{ kind: 'reject' }, { ...failure('permanent'), message: /may not upload this video/ }, false],
  ] as const) {
    const scene = await givenChannel(t)
    const handle = await prepare(youtube, scene.job, scene.io)
    scene.fault(fault)
    await t.rejects(youtube.publish(scene.job, handle, scene.io), expected, JSON.stringify(fault))
    t.equal(scene.live().length, accepted ? 1 : 0)
    t.same(await prepare(youtube, scene.job, scene.io, handle), handle, 'prepared again, it is the same session')
    const { postId } = await settle(scene, handle)
    t.same(
      scene.live().map(({ id }) => id),
      [postId],
    )
    t.same(scene.sandbox.faults.pending(), [])
  }

  const scene = await givenChannel(t)
  const { job, io } = scene
  const handle = await prepare(youtube, job, io)
  for (const [status, body, kind] of [
    [408, '', 'ambiguous'],
    [500, '<html>', 'ambiguous'],
    [201, '{"id":', 'ambiguous'],
    [200, { kind: 'youtube#video' }, 'ambiguous'],
    [400, googleError('invalidVideoMetadata'), 'permanent'],
    [403, googleError('quotaExceeded'), 'retryable'],
    [429, '', 'retryable'],
  ] as const) {
    scene.intercept((_url, request) => (isLast(request) ? answer(status, body) : undefined))
    await t.rejects(youtube.publish(job, handle, io), failure(kind), `${status} ${JSON.stringify(body)}`)
  }
  for (const [mayHaveArrived, kind] of [
    [true, 'ambiguous'],
    [false, 'retryable'],
  ] as const) {
    scene.intercept((_url, request) => {
      if (isLast(request)) throw new HttpFailure('reset', 'the connection broke', mayHaveArrived)
      return undefined
    })
    await t.rejects(youtube.publish(job, handle, io), failure(kind))
  }
  scene.intercept(undefined)
  await Promise.all([1, 2, 3].map(() => settle(scene, handle)))
  t.equal(scene.live().length, 1, 'three at once make one video')
})

t.test('before the session has reported its progress, no failure is final', async (t) => {
  const scene = await givenChannel(t)
  const { job, io } = scene
  const handle = await prepare(youtube, job, io)
  for (const [status, body, kind] of [
    [403, googleError('channelSuspended'), 'ambiguous'],
    [401, googleError('authError'), 'ambiguous'],
    [403, googleError('insufficientPermissions'), 'ambiguous'],
    [200, '', 'ambiguous'],
    [503, '', 'retryable'],
    [403, googleError('quotaExceeded'), 'retryable'],
  ] as const) {
    scene.intercept((_url, request) => (isProbe(request) ? answer(status, body) : undefined))
    await t.rejects(youtube.publish(job, handle, io), { ...failure(kind), startOver: false }, JSON.stringify(body))
  }
  scene.intercept(undefined)
  const credentials = memoryCredentials({ accessToken: 'void' })
  await t.rejects(youtube.publish(job, handle, { ...io, credentials }), failure('ambiguous'), 'it cannot be checked')
  await t.rejects(youtube.publish(job, { sessionUri: 7 }, io), failure('ambiguous'), 'a handle that is not one')
  t.same(scene.live(), [])
})

t.test('a session that is forgotten before its last byte was sent is started over', async (t) => {
  const video = await hostOfVideo(t, 20 * MIB)
  const scene = await givenChannel(t, { mediaUrl: video.url, text: `[sandbox forget=${8 * MIB}]` })
  const { job, io } = scene
  const handle = await prepare(youtube, job, io)
  await t.rejects(youtube.publish(job, handle, io), { ...failure('retryable'), startOver: true })
  const next = await prepare(youtube, job, io, handle)
  t.not(next['sessionUri'], handle['sessionUri'])
  t.same(scene.live(), [])
})

t.test('a session that is forgotten after its last byte is settled by the list of uploads', async (t) => {
  const scene = await givenChannel(t, { text: '  Found again  \r\n\nyes [sandbox forget=1]' })
  const { job, io } = scene
  const handle = await prepare(youtube, job, io)
  scene.fault({ kind: 'accept_then_timeout' })
  await t.rejects(youtube.publish(job, handle, io), failure('ambiguous'))
  const [post] = scene.live()
  t.equal((await settle(scene, handle)).postId, post?.id)
  t.equal(scene.live().length, 1)

  scene.intercept((url) =>
    url.pathname.endsWith('/playlistItems') ? answer(403, googleError('forbidden')) : undefined,
  )
  await t.rejects(
    youtube.publish(job, handle, io),
    { ...failure('ambiguous'), message: /may have been complete/ },
    'the list is unreadable',
  )
  scene.intercept(undefined)
  const { uploadsPlaylistId: _, ...without } = await scene.store.read()
  await t.rejects(
    youtube.publish(job, handle, { ...io, credentials: memoryCredentials(without) }),
    failure('ambiguous'),
  )

  if (post) scene.sandbox.ledger.addPost({ ...post, id: 'the_other_1', token: 'another' })
  await t.rejects(youtube.publish(job, handle, io), {
    ...failure('ambiguous'),
    message: /2 videos that may be this one/,
  })
})

t.test('that a forgotten session made no video is believed only when it would surely be listed', async (t) => {
  const scene = await givenChannel(t, { text: 'Lost' })
  const { job, io, sandbox, account, clock } = scene
  const addVideo = (id: string, ageMs: number, caption: string) =>
    sandbox.ledger.addPost({
      id,
      platform: 'youtube',
      accountId: account.externalId,
      caption,
      mediaUrl: 'https://media.example/a.mp4',
      mediaType: 'video',
      createdAt: new Date(clock.now() - ageMs).toISOString(),
      details: {
        title: caption,
        categoryId: '22',
        privacyStatus: 'public',
        madeForKids: false,
        notifySubscribers: true,
      },
    })
  for (let n = 0; n < 300; n += 1) addVideo(`old_${n}`, 50 * HOUR_MS, 'Lost')
  const handle = await prepare(youtube, job, io)
  for (let n = 0; n < 60; n += 1) addVideo(`new_${n}`, 0, `Other ${n}`)
  scene.intercept((_url, request) => (isProbe(request) || isChunk(request) ? answer(404, '') : undefined))

  await t.rejects(youtube.publish(job, handle, io), {
    ...failure('ambiguous'),
    message: /does not list the video yet/,
  })
  await later(scene, 24 * HOUR_MS)
  await t.rejects(youtube.publish(job, handle, io), failure('ambiguous'))
  await later(scene, HOUR_MS)
  await t.rejects(youtube.publish(job, handle, io), { ...failure('retryable'), startOver: true })

  addVideo('late', 27 * HOUR_MS, 'Lost')
  await t.rejects(youtube.publish(job, handle, io), failure('ambiguous'), 'one from before, by their clock, may be it')
  for (let n = 0; n < 200; n += 1) addVideo(`newer_${n}`, 0, `Other ${n}`)
  await t.rejects(youtube.publish(job, handle, io), { ...failure('ambiguous'), message: /too long/ })

  scene.intercept((_url, request) => (isLast(request) ? answer(410, '') : undefined))
  const young = await prepare(youtube, { ...job, text: 'Young' }, io)
  await t.rejects(
    youtube.publish({ ...job, text: 'Young' }, young, io),
    failure('ambiguous'),
    'gone with the last byte',
  )
})

t.test('an access that is revoked with the last byte leaves the outcome open', async (t) => {
  const scene = await givenChannel(t)
  const { job, io } = scene
  const handle = await prepare(youtube, job, io)
  scene.fault({ kind: 'reject', call: 'refresh' })
  scene.intercept((url, request) => {
    if (isLast(request)) return answer(404, '')
    return url.pathname.endsWith('/playlistItems') ? answer(401, googleError('authError')) : undefined
  })
  await t.rejects(youtube.publish(job, handle, io), { ...failure('ambiguous'), message: /no longer renews/ })
})

t.test('a session outlives a restart of the sandbox, empty again, and so does its video', async (t) => {
  const dataDir = t.testdir()
  const options = { host: '127.0.0.1', dataDir, clock: systemClock, ids, standIns: [youtubeStandIn] } as const
  const http = givenHttp(t)
  const first = await startSandbox({ ...options, port: 0 })
  const account = await givenAccount(http, first, 'youtube')
  const port = Number(new URL(first.url).port)
  const video = await hostOfVideo(t, 12 * MIB)
  const job = {
    key: crypto.randomUUID(),
    account: accountOf('youtube', account),
    mediaUrl: video.url,
    mediaType: 'video',
    text: 'A walk',
    queuedAt: '2026-03-01T10:00:00.000Z',
  } as const
  const flaky: Http = {
    ...http,
    request: (url, request = {}) =>
      isLast(request) ? Promise.reject(new HttpFailure('reset', 'cut', false)) : http.request(url, request),
  }
  const io = ioOf(http, account.credentials)
  const media = mediaSource({ http, clock: systemClock, directory: join(dataDir, 'spool') })
  const handle = await prepare(youtube, job, { ...io, media })
  await t.rejects(youtube.publish(job, handle, { ...io, media, http: flaky }), failure('retryable'))
  await first.close()

  const second = await startSandbox({ ...options, port })
  const published = await youtube.publish(job, handle, { ...io, media })
  t.match(published, { outcome: 'processing' })
  await second.close()

  const third = await startSandbox({ ...options, port })
  t.teardown(() => third.close())
  await youtube.publish(job, handle, { ...io, media })
  const [post, ...others] = third.ledger.posts('youtube')
  t.same(others, [])
  t.equal(third.ledger.media('youtube', post?.id ?? '')?.sha256, video.sha256)
})

t.test('a session of yesterday, or of another file, is sent nothing more', async (t) => {
  const scene = await givenChannel(t)
  const { job, io } = scene
  const handle = await prepare(youtube, job, io)
  t.same(await prepare(youtube, job, io, handle), handle)

  const longer = await hostOfVideo(t, CLIP.length + 100)
  const changed = { ...job, mediaUrl: longer.url }
  const message = new RegExp(`had ${CLIP.length} bytes .* and now has ${CLIP.length + 100}`)
  await t.rejects(youtube.publish(changed, handle, io), { ...failure('retryable'), startOver: true, message })
  t.same(await files(scene.directory), [])
  const again = await prepare(youtube, changed, io, handle)
  t.match(again, { bytes: CLIP.length + 100 })

  await later(scene, 24 * HOUR_MS)
  await t.rejects(youtube.publish(job, handle, io), {
    ...failure('retryable'),
    startOver: true,
    message: /too long ago/,
  })
  t.not((await prepare(youtube, job, io, handle))['sessionUri'], handle['sessionUri'])
  t.same(scene.live(), [])

  const gone = { ...job, mediaUrl: `${scene.sandbox.url}/media/none.mp4` }
  const fresh = await prepare(youtube, job, io)
  await t.rejects(youtube.publish(gone, fresh, io), { ...failure('permanent'), message: /returned HTTP 404/ })
})

t.test('what YouTube makes of the video is waited for, ten minutes at most', async (t) => {
  const finish = async (text: string) => {
    const scene = await givenChannel(t, { text })
    const handle = await prepare(youtube, scene.job, scene.io)
    const looks: number[] = []
    const result = await settle(scene, handle, looks).catch((error: unknown) => error)
    return { scene, handle, looks, result, id: scene.live()[0]?.id }
  }
  t.same((await finish('[sandbox processing=5]')).looks, Array(5).fill(15_000))
  const stuck = await finish('[sandbox processing=1000]')
  t.equal(stuck.looks.length, 40)
  t.match(stuck.result, { postId: stuck.id, url: `${WATCH}${stuck.id}` }, 'its id is final')

  for (const [text, message] of [
    ['[sandbox failed=codec]', /could not process the video: codec/],
    ['[sandbox rejected=duplicate]', /rejected the video: duplicate/],
  ] as const) {
    const { result, scene, handle } = await finish(text)
    t.match(result, { ...failure('permanent'), message })
    t.not(
      (await prepare(youtube, scene.job, scene.io))['sessionUri'],
      handle['sessionUri'],
      'asked again, it is sent again',
    )
  }

  const locked = await finish('[sandbox privacy=private]')
  t.match(
    locked.result,
    { postId: locked.id, url: `https://studio.youtube.com/video/${locked.id}/edit`, note: /has not passed its audit/ },
    'published, and the link leads to where its owner sees why nobody else does',
  )
})

t.test('a video that is there is never sent again, whatever the look at it is answered', async (t) => {
  const scene = await givenChannel(t, { text: '[sandbox processing=0]' })
  const { job, io, clock } = scene
  // Far from the reset of the quota, so that it is not sooner than the next look.
  await clock.advanceTo(clock.now() + untilPacificMidnight(clock.now()) + HOUR_MS)
  const handle = await prepare(youtube, job, io)
  const look = async (...told: Parameters<typeof answer>) => {
    scene.intercept((url) =>
      url.pathname.endsWith('/v3/videos') && !url.search.includes('upload') ? answer(...told) : undefined,
    )
    return youtube.publish(job, handle, io)
  }
  const item = (status: object, more: object = {}) => ({ items: [{ status, ...more }] })
  t.same(await look(503, ''), { outcome: 'processing', lookAgainMs: 15_000 })
  t.same(await look(200, 'no JSON'), { outcome: 'processing', lookAgainMs: 15_000 })
  t.same(await look(429, '', { 'retry-after': '60' }), { outcome: 'processing', lookAgainMs: 60_000 })
  t.same(await look(403, googleError('quotaExceeded')), { outcome: 'processing', lookAgainMs: 600_000 })
  t.same(await look(200, { items: [] }), { outcome: 'processing', lookAgainMs: 15_000 })
  t.match(
    await look(403, googleError('forbidden')),
    { outcome: 'published' },
    'who may not look learns nothing by waiting',
  )
  t.match(await look(401, googleError('authError')), { outcome: 'published' })
  t.match(await look(200, item({ uploadStatus: 'processed' })), { published: { url: new RegExp('watch') } })
  await t.rejects(look(200, item({ uploadStatus: 'deleted' })), { ...failure('permanent'), message: /was deleted/ })
  await t.rejects(look(200, item({ uploadStatus: 'failed' })), {
    ...failure('permanent'),
    message: /no reason was given/,
  })
  const transcode = { processingDetails: { processingStatus: 'failed', processingFailureReason: 'transcodeFailed' } }
  await t.rejects(look(200, item({ uploadStatus: 'uploaded' }, transcode)), { message: /transcodeFailed/ })

  await later(scene, 600_000)
  t.match(await look(503, ''), { outcome: 'published' })
  await t.rejects(look(200, { items: [] }), { ...failure('permanent'), message: /no longer has it/ })
  t.equal(scene.live().length, 1)
})

t.test('given a thumbnail and a playlist, then the video gets both once it is there, whatever is lost', async (t) => {
  const { scene, job, publish, extras, sent } = await givenFollowUps(t, '[sandbox processing=3]')
  const handle = await prepare(youtube, job, scene.io)
  scene.intercept(async (url, { method, headers = {}, body }) => {
    if (method !== 'POST' || !url.pathname.endsWith('/playlistItems')) return undefined
    await fetch(url, { method, headers: { ...headers }, body: String(body) })
    return answer(503, '')
  })
  const first = await publish(handle)
  t.match(first, { outcome: 'processing', lookAgainMs: 15_000, handle: { settled: { thumbnail: '' } } })

  scene.intercept(undefined)
  const second = await publish(handleIn(first))
  t.match(second, { handle: { settled: { thumbnail: '', playlist: '' } } })
  t.notOk('handle' in (await publish(handleIn(second))), 'there is nothing new')
  const published = await settle({ ...scene, job }, handleIn(second))
  t.notOk('note' in published)
  t.match(extras(), { thumbnail: { mimeType: 'image/jpeg' }, playlists: [{ id: 'PLwalks' }] })
  t.equal(extras()?.playlists.length, 1)
  t.equal(sent('/thumbnails/set'), 1)

  await publish(handle)
  t.equal(extras()?.playlists.length, 1, 'also if the record is lost')
})

t.test('given a wrong playlist or thumbnail, then the option is named', (t) => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ playlistId: 'https://www.youtube.com/playlist?list=PLwalks' }, /must be the ID of a playlist/],
    [{ playlistId: '' }, /must be the ID of a playlist/],
    [{ thumbnailUrl: 'ftp://example.com/a.jpg' }, /must be a URL that begins with http/],
    [{ playlistID: 'PLwalks' }, /Did you mean playlistId/],
  ]
  for (const [options, message] of wrong) t.match(videoOptions.safeParse(options).error?.message, message)
  t.end()
})

t.test('given a thumbnail or a playlist that cannot be had, then the video is published, with a note', async (t) => {
  const refusals: readonly (readonly [object, readonly [string, number, string] | undefined, RegExp])[] = [
    [
      {},
      ['/thumbnails/set', 403, 'forbidden'],
      /^The thumbnail is not set; set it in YouTube Studio: YouTube does not/,
    ],
    [{}, ['/thumbnails/set', 400, 'invalidImage'], /^The thumbnail is not set.*YouTube does not accept the image/],
    [{}, ['/thumbnails/set', 403, 'quotaExceeded'], /^The thumbnail is not set.*quota/],
    [{ thumbnail: '/media/sample.mp4' }, undefined, /^The thumbnail is not set.*image/],
    [{ thumbnail: '/media/none.jpg' }, undefined, /^The thumbnail is not set.*404/],
    [{ playlistId: 'PLnone' }, undefined, /^The video is not in the playlist; add it.*YouTube adds no video to this/],
    [{}, ['/playlistItems', 403, 'insufficientPermissions'], /^The video is not in the playlist.*youtube\.force-ssl/],
  ]
  for (const [over, refusal, note] of refusals) {
    const { scene, job } = await givenFollowUps(t, '[sandbox processing=0]', over)
    await scene.clock.advanceTo(scene.clock.now() + untilPacificMidnight(scene.clock.now()) + HOUR_MS)
    const handle = await prepare(youtube, job, scene.io)
    scene.intercept(({ pathname }) => {
      if (!refusal || !pathname.endsWith(refusal[0])) return undefined
      return answer(refusal[1], googleError(refusal[2]))
    })
    t.match(await settle({ ...scene, job }, handle), { postId: scene.live()[0]?.id, url: new RegExp('watch'), note })
    t.equal(scene.live().length, 1)
  }

  const { scene, job, publish } = await givenFollowUps(t, '[sandbox processing=0]')
  const handle = await prepare(youtube, job, scene.io)
  scene.intercept(({ pathname }) =>
    pathname.endsWith('/thumbnails/set') ? answer(404, googleError('videoNotFound')) : undefined,
  )
  t.match(await publish(handle), { outcome: 'processing' }, 'it may not be known everywhere yet')
  scene.intercept(({ pathname }) => (pathname.endsWith('/thumbnails/set') ? answer(503, '') : undefined))
  t.match(await publish(handle), { outcome: 'processing', handle: { settled: { playlist: '', thumbnail: undefined } } })
  await later(scene, 600_000)
  t.match(await publish(handle), { outcome: 'published', published: { note: /^The thumbnail is not set.*503/ } })
})

/** A channel whose video is to have a thumbnail and to be in a playlist. */
async function givenFollowUps(
  t: Test,
  text: string,
  { thumbnail = '/media/sample.jpg', playlistId = 'PLwalks' }: { thumbnail?: string; playlistId?: string } = {},
) {
  const scene = await givenChannel(t, { text })
  const thumbnailUrl = `${scene.sandbox.url}${thumbnail}`
  const media = [{ url: scene.job.mediaUrl, type: 'video' as const, thumbnailUrl }]
  const job = { ...scene.job, media, options: { playlistId } }
  return {
    scene,
    job,
    publish: (handle: PublishHandle) => youtube.publish(job, handle, scene.io),
    extras: () => {
      const id = scene.live()[0]?.id ?? ''
      return scene.sandbox.ledger.media('youtube', id)?.details as { playlists: object[] } | undefined
    },
    sent: (path: string) => scene.calls.filter((call) => call.startsWith('POST') && call.endsWith(path)).length,
  }
}

function handleIn(publishing: Publishing): PublishHandle {
  if (publishing.outcome !== 'processing' || !publishing.handle) throw new Error('there is no new handle')
  return publishing.handle
}

t.test('60 MB are sent without going through memory', async (t) => {
  const video = await hostOfVideo(t, 60 * MIB)
  const scene = await givenChannel(t, { mediaUrl: video.url })
  const handle = await prepare(youtube, scene.job, scene.io)
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10)
  t.teardown(() => clearInterval(timer))
  const { postId } = await settle(scene, handle)
  clearInterval(timer)
  const growth = Math.round((peak - before) / 1e6)
  t.ok(growth < 30, `grew by ${growth} MB at most`)
  t.equal(scene.sandbox.ledger.media('youtube', postId)?.sha256, video.sha256)
})

t.test('what is shown to the user holds no secret', async (t) => {
  const scene = await givenChannel(t)
  const { job, io, store } = scene
  const handle = await prepare(youtube, job, io)
  for (const kind of ['reject', 'server_error', 'rate_limit', 'accept_then_timeout'] as const) {
    scene.fault({ kind })
    const error: unknown = await youtube.publish(job, handle, io).catch((reason: unknown) => reason)
    const shown = error instanceof Error ? `${error.message} ${String(error.cause)}` : t.fail('it failed')
    const { accessToken, refreshToken, clientSecret } = await store.read()
    for (const secret of [accessToken, refreshToken, clientSecret])
      t.notOk(String(shown).includes(String(secret)), kind)
    scene.sandbox.faults.clear()
  }
})

t.test('the sandbox refuses what YouTube refuses', async (t) => {
  const scene = await givenChannel(t)
  const { http, account } = scene
  const token = account.credentials['accessToken'] ?? ''
  const call = (method: 'GET' | 'POST' | 'PUT', path: string, headers: Record<string, string> = {}, body?: string) =>
    http.request(path.startsWith('http') ? path : `${account.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body }),
    })
  const start = '/upload/youtube/v3/videos?uploadType=resumable&part=snippet,status'
  const announced = {
    'content-type': 'application/json; charset=UTF-8',
    'x-upload-content-length': '524289',
    'x-upload-content-type': 'video/mp4',
  }
  const snippet = { title: 'A title', description: 'words', categoryId: '22' }
  const status = { privacyStatus: 'public', selfDeclaredMadeForKids: false }
  const metadata = JSON.stringify({ snippet, status })
  const wrong = async (name: string, expected: number, reason: string, asked: ReturnType<typeof call>) => {
    const { status, json } = await asked
    t.equal(status, expected, name)
    t.match(json(), { error: { code: expected, errors: [{ reason }] } }, name)
  }
  const withSnippet = (over: object) => JSON.stringify({ snippet: { ...snippet, ...over }, status })

  await wrong('no token', 401, 'required', call('POST', start, { ...announced, authorization: '' }, metadata))
  await wrong(
    'wrong token',
    401,
    'authError',
    call('POST', start, { ...announced, authorization: 'Bearer a.b' }, metadata),
  )
  await wrong(
    'simple upload',
    400,
    'badRequest',
    call('POST', start.replace('resumable', 'media'), announced, metadata),
  )
  await wrong('unknown parameter', 400, 'badRequest', call('POST', `${start}&fast=1`, announced, metadata))
  await wrong('other parts', 400, 'unknownPart', call('POST', start.replace('status', 'secrets'), announced, metadata))
  for (const [name, value] of [
    ['x-upload-content-type', 'image/jpeg'],
    ['x-upload-content-length', '0'],
    ['x-upload-content-length', '256000000001'],
  ] as const) {
    await wrong(name, 400, 'mediaBodyRequired', call('POST', start, { ...announced, [name]: value }, metadata))
  }
  for (const [over, reason] of [
    [{ title: '' }, 'invalidTitle'],
    [{ title: 'x'.repeat(101) }, 'invalidTitle'],
    [{ title: 'a > b' }, 'invalidTitle'],
    [{ description: 'ä'.repeat(2_501) }, 'invalidDescription'],
    [{ description: '<b>' }, 'invalidDescription'],
    [{ categoryId: 'music' }, 'invalidCategoryId'],
    [{ categoryId: '30' }, 'invalidCategoryId'],
    [{ tags: ['x'.repeat(250), 'y'.repeat(250)] }, 'invalidTags'],
    [{ mood: 'good' }, 'invalidVideoMetadata'],
  ] as const) {
    await wrong(JSON.stringify(over).slice(0, 40), 400, reason, call('POST', start, announced, withSnippet(over)))
  }

  const { status: started, headers } = await call('POST', start, announced, metadata)
  t.equal(started, 200)
  const session = headers['location'] ?? ''
  const put = (range: string, bytes: number, more: object = {}) =>
    call('PUT', session, { 'content-range': range, 'content-type': 'video/mp4', ...more }, 'x'.repeat(bytes))
  await wrong(
    'less than all, without a range',
    400,
    'badRequest',
    call('PUT', session, { 'content-type': 'video/mp4' }, 'x'),
  )
  await wrong('another total', 400, 'badRequest', put('bytes 0-262143/600000', 262_144))
  await wrong('another length', 400, 'badRequest', put('bytes 0-262143/524289', 262_143))
  await wrong('not a multiple', 400, 'badRequest', put('bytes 0-262142/524289', 262_143))
  await wrong(
    'another type',
    400,
    'badRequest',
    put('bytes 0-262143/524289', 262_144, { 'content-type': 'video/webm' }),
  )
  await wrong(
    'another session',
    404,
    'notFound',
    call('PUT', session.replace('upload_id=', 'upload_id=x'), { 'content-range': 'bytes */524289' }),
  )
  const skipped = await put('bytes 262144-524287/524289', 262_144)
  t.match([skipped.status, skipped.headers['range']], [308, undefined], 'a gap stores nothing')
  const first = await put('bytes 0-262143/524289', 262_144)
  t.match([first.status, first.headers['range']], [308, 'bytes=0-262143'])
  const again = await put('bytes 0-524287/524289', 524_288)
  t.match([again.status, again.headers['range']], [308, 'bytes=0-262143'], 'and so does an overlap')
  const last = await put('bytes 262144-524288/524289', 262_145)
  t.equal(last.status, 201)
  t.same((await put('bytes 262144-524288/524289', 262_145)).json(), last.json(), 'the answer is repeated')
  t.equal(scene.live().length, 1)

  await wrong('videos without parts', 400, 'required', call('GET', '/youtube/v3/videos?id=a'))
  await wrong('an unknown part', 400, 'unknownPart', call('GET', '/youtube/v3/videos?part=secrets&id=a'))
  await wrong(
    'another list',
    404,
    'playlistNotFound',
    call('GET', '/youtube/v3/playlistItems?part=snippet&playlistId=UUx'),
  )
  await wrong('an unknown path', 404, 'notFound', call('GET', '/youtube/v4/videos'))
  t.match((await call('GET', '/youtube/v3/videos?part=status&id=unknown0000')).json(), { items: [] })
  await later(scene, HOUR_MS)
  await wrong('an old token', 401, 'authError', call('GET', '/youtube/v3/channels?part=id&mine=true'))
  for (const [body, status, error] of [
    ['grant_type=refresh_token', 400, 'invalid_request'],
    [
      `${new URLSearchParams({ grant_type: 'refresh_token', client_id: 'a', client_secret: 'b', refresh_token: 'c' })}`,
      400,
      'invalid_grant',
    ],
  ] as const) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const answered = await call('POST', '/token', type, body)
    t.match([answered.status, answered.json()], [status, { error }])
  }
})
