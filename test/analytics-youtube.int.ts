import fc from 'fast-check'
import t from 'tap'
import { METRICS } from '../domain/analytics/metrics.ts'
import type { Analytics, CompetitorFacts } from '../platforms/kit/analytics.ts'
import { HttpFailure } from '../infra/http/http.ts'
import { analytics } from '../platforms/youtube/analytics.ts'
import { youtube } from '../platforms/youtube/index.ts'
import { untilPacificMidnight } from '../platforms/youtube/pacific.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { prepare } from './support/connector.ts'
import { givenAccount, memoryCredentials } from './support/sandbox.ts'
import {
  answer,
  failure,
  givenChannel,
  givenVideo,
  googleError,
  later,
  settle,
  wrote,
  type Scene,
} from './support/youtube.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const CHANNELS = 'GET /youtube/v3/channels'
const VIDEOS = 'GET /youtube/v3/videos'
const UPLOADS = 'GET /youtube/v3/playlistItems'

const competitors = analytics.competitors ?? t.bailout('YouTube tells of others')
const { find, look } = competitors as NonNullable<Analytics['competitors']>

const counted = ({ job, io }: Pick<Scene, 'job' | 'io'>, ids: readonly string[]) =>
  analytics.metrics(job.account, ids, io)
const channelOf = ({ job, io }: Pick<Scene, 'job' | 'io'>) => analytics.channel(job.account, io)
const found = ({ job, io }: Scene, handle: string) => find(job.account, handle, io)
const looked = ({ job, io, clock }: Scene, id: string, agoMs = 30 * DAY_MS) =>
  look(job.account, id, isoTime(clock.now() - agoMs), io)

/** Each way to ask for numbers, with the call that asks for them. */
const ASKING: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  metrics: (scene) => counted(scene, [givenVideo(scene, crypto.randomUUID().slice(0, 11))]),
  channel: channelOf,
  find: (scene) => found(scene, 'park-walks'),
  look: (scene) => looked(scene, 'UCpark-walks------------'),
}

const details = (privacyStatus: string) => ({
  details: { title: 'x', categoryId: '22', privacyStatus, madeForKids: false, notifySubscribers: true },
})

t.test('the numbers of a published video grow with its age, and never shrink', async (t) => {
  const scene = await givenChannel(t)
  t.equal(youtube.analytics, analytics)
  const { postId } = await settle(scene, await prepare(youtube, scene.job, scene.io))
  const start = scene.clock.now()
  let before = (await counted(scene, [postId])).get(postId) ?? {}
  t.same(Object.keys(before).toSorted(), ['comments', 'likes', 'views'])
  const channel = await channelOf(scene)
  t.equal(channel.posts, 1)
  let facts = channel
  for (const age of [HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 14 * DAY_MS, 120 * DAY_MS]) {
    await scene.clock.advanceTo(start + age)
    const now = (await counted(scene, [postId])).get(postId) ?? {}
    const { views = NaN, likes = NaN, comments = NaN } = now
    t.ok(views >= (before.views ?? NaN) && likes >= (before.likes ?? NaN) && comments >= (before.comments ?? NaN))
    t.ok(views >= likes + comments, 'who likes it has seen it')
    const later = await channelOf(scene)
    t.ok((later.followers ?? NaN) >= (facts.followers ?? NaN))
    t.equal(later.views, views, 'the channel has no other video')
    before = now
    facts = later
  }
  t.ok((before.views ?? 0) >= 2_000, 'an old video was seen')
  t.ok((facts.followers ?? 0) > 0)

  wrote(scene, 'thread', 0, { postId })
  const comments = (before.comments ?? NaN) + 1
  t.same((await counted(scene, [postId])).get(postId)?.comments, comments, 'a comment counts at once')
})

t.test('one call asks for up to 50 videos, and none for nothing', async (t) => {
  const scene = await givenChannel(t)
  const ids = Array.from({ length: 51 }, (_, n) => givenVideo(scene, `video_id_${String(n).padStart(2, '0')}`))
  t.equal(analytics.postsPerCall, 50)
  for (const asked of [0, 1, 49, 50]) {
    scene.calls.length = 0
    const numbers = await counted(scene, ids.slice(0, asked))
    t.same([...numbers.keys()], ids.slice(0, asked))
    t.same(scene.calls, asked === 0 ? [] : [VIDEOS], `${asked} videos are one unit of the quota at most`)
  }
  await t.rejects(counted(scene, ids), failure('permanent'), 'more are refused')
})

t.test('videos that YouTube does not have are left out', async (t) => {
  const scene = await givenChannel(t)
  const { sandbox, http } = scene
  const [kept, gone, hidden] = [
    givenVideo(scene),
    givenVideo(scene, 'gone_video1'),
    givenVideo(scene, 'my_private1', details('private')),
  ]
  const stranger = { ...scene, account: await givenAccount(http, sandbox, 'youtube') }
  const theirs = givenVideo(stranger, 'theirs_pub1')
  const secret = givenVideo(stranger, 'theirs_priv', details('private'))
  sandbox.ledger.removePost('youtube', gone)
  const numbers = await counted(scene, [gone, kept, 'never_there', hidden, theirs, secret])
  t.same([...numbers.keys()].toSorted(), [kept, hidden, theirs].toSorted())
  t.equal((await counted(scene, [gone])).size, 0)

  scene.calls.length = 0
  t.equal((await counted(scene, ['', 'a,b', 'a b', 'at://x'])).size, 0)
  t.same(scene.calls, [], 'what can be no id is not asked for')
  t.same([...(await counted(scene, ['a,b', kept])).keys()], [kept], 'nor does it harm the others')
})

t.test('a number that is hidden is absent, and not zero', async (t) => {
  const scene = await givenChannel(t)
  for (const [name, metric] of [
    ['viewCount', 'views'],
    ['likeCount', 'likes'],
    ['commentCount', 'comments'],
  ] as const) {
    const id = givenVideo(scene, `hides_${metric}`.slice(0, 11).padEnd(11, '_'), {
      caption: `[sandbox hidden=${name}]`,
    })
    const rest = (['views', 'likes', 'comments'] as const).filter((each) => each !== metric)
    t.same(Object.keys((await counted(scene, [id])).get(id) ?? {}), rest)
  }
  const label = 'Shy [sandbox hidden=subscriberCount]'
  const account = await givenAccount(scene.http, scene.sandbox, 'youtube', { label })
  const shy = { ...scene, job: { ...scene.job, account: { ...scene.job.account, externalId: account.externalId } } }
  await later(scene, 30 * DAY_MS)
  t.same(await channelOf(shy), { posts: 0, views: 0 }, 'no followers are returned')
})

t.test('counts of any shape are read as far as they are counts', async (t) => {
  const scene = await givenChannel(t)
  const exact = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).map((number) => [String(number), number] as const)
  const odd = fc
    .oneof(
      fc.constantFrom('', ' 7', '-1', '1.5', '1.0', '1e3', '0x10', 'many', '9007199254740993', '9'.repeat(40)),
      fc.constantFrom<unknown>(null, 7, -1, true, {}, [], ['7']),
    )
    .map((value) => [value, undefined] as const)
  const given = fc.oneof(exact, odd, fc.constant([undefined, undefined] as const))
  const numbers = fc.tuple(given, given, given)
  await fc.assert(
    fc.asyncProperty(numbers, async ([views, likes, comments]) => {
      const told = (expected: object) => JSON.parse(JSON.stringify(expected)) as object
      scene.intercept(() => {
        const statistics = { viewCount: views[0], likeCount: likes[0], commentCount: comments[0], favoriteCount: '0' }
        return answer(200, { items: [{ id: 'one' }, { id: 'two', statistics }, { statistics }, null, 'x'] })
      })
      const videos = await counted(scene, ['one', 'two'])
      t.strictSame(Object.fromEntries(videos), {
        one: {},
        two: told({ views: views[1], likes: likes[1], comments: comments[1] }),
      })
      scene.intercept(() => {
        const statistics = { viewCount: views[0], subscriberCount: likes[0], videoCount: comments[0] }
        return answer(200, { items: [{ id: 'UC', statistics }] })
      })
      const channel = told({ views: views[1], followers: likes[1], posts: comments[1] })
      t.strictSame(await channelOf(scene), channel)
    }),
    { numRuns: 100 },
  )
  for (const hiddenSubscriberCount of [true, false, 'yes', undefined]) {
    scene.intercept(() =>
      answer(200, { items: [{ id: 'UC', statistics: { subscriberCount: '0', hiddenSubscriberCount } }] }),
    )
    t.same(await channelOf(scene), hiddenSubscriberCount === true ? {} : { followers: 0 })
  }
  scene.intercept(() => answer(200, { items: [{ id: 'UC' }] }))
  t.same(await channelOf(scene), {})
  scene.intercept(undefined)
  const id = givenVideo(scene)
  const names: readonly string[] = METRICS
  t.ok(Object.keys((await counted(scene, [id])).get(id) ?? {}).every((name) => names.includes(name)))
})

t.test('whatever asks for numbers says why it gets none', async (t) => {
  const scene = await givenChannel(t)
  const resting = { ...failure('retryable'), accountRests: true }
  for (const [asking, ask] of Object.entries(ASKING)) {
    for (const [status, body, expected] of [
      [403, googleError('quotaExceeded'), resting],
      [403, googleError('rateLimitExceeded'), resting],
      [429, '', resting],
      [403, googleError('insufficientPermissions'), { ...failure('forbidden'), message: /scope youtube.force-ssl/ }],
      [401, googleError('youtubeSignupRequired'), failure('permanent')],
      [403, googleError('channelSuspended'), failure('permanent')],
      [403, googleError('forbidden'), failure('permanent')],
      [403, googleError('accessNotConfigured'), { ...failure('permanent'), message: /not enabled/ }],
      [400, googleError('neverHeardOf'), { ...failure('permanent'), message: /neverHeardOf/ }],
      [302, '', failure('permanent')],
      [408, '', failure('retryable')],
      [500, googleError('internalError'), failure('retryable')],
      [503, '<html>', { ...failure('retryable'), accountRests: false }],
      [200, '<html>', failure('retryable')],
      [200, '{"items":[', failure('retryable')],
      [200, { items: 'none' }, failure('retryable')],
      [200, [], failure('retryable')],
    ] as const) {
      scene.intercept(() => answer(status, body))
      await t.rejects(ask(scene), expected, `${asking}: ${status} ${JSON.stringify(body)}`)
    }
    scene.intercept(() => {
      throw new HttpFailure('timeout', 'no answer', true)
    })
    await t.rejects(ask(scene), failure('retryable'), `${asking}: no answer`)
  }
  for (const ask of [channelOf, ASKING['find'], ASKING['look']]) {
    scene.intercept(() => answer(200, { items: [{ snippet: {} }] }))
    await t.rejects(Promise.resolve(ask?.(scene)), failure('retryable'), 'a channel without an id is none')
  }
  scene.intercept(() => answer(403, googleError('quotaExceeded'), { 'retry-after': '1' }))
  const error = (await channelOf(scene).catch((error: unknown) => error)) as { readonly retryAfterMs?: number }
  t.ok(Math.abs((error.retryAfterMs ?? NaN) - untilPacificMidnight(scene.clock.now())) < 10_000)
  scene.intercept(() => answer(200, {}))
  await t.rejects(channelOf(scene), { ...failure('permanent'), message: 'YouTube no longer has the channel.' })
})

t.test('an answer that is too large is none', async (t) => {
  const scene = await givenChannel(t)
  const id = givenVideo(scene)
  const { io } = scene
  const large = {
    ...scene.http,
    request: (url: string, request = {}) => scene.http.request(url, { ...request, maxBytes: 60 }),
  }
  await t.rejects(counted({ ...scene, io: { ...io, http: large } }, [id]), {
    ...failure('retryable'),
    message: /too large/,
  })
})

t.test('each fault of the sandbox is recognized, and passes', async (t) => {
  for (const asking of ['metrics', 'channel', 'look']) {
    const scene = await givenChannel(t)
    const { sandbox } = scene
    const ask = () => Promise.resolve(ASKING[asking]?.(scene))
    for (const [fault, expected] of [
      [
        { kind: 'rate_limit', retryAfterSeconds: 7 },
        { ...failure('retryable'), retryAfterMs: 7_000, accountRests: true },
      ],
      [{ kind: 'server_error' }, failure('retryable')],
      [{ kind: 'accept_then_timeout' }, failure('retryable')],
      [{ kind: 'reject' }, { ...failure('permanent'), message: /may not see what is asked for/ }],
      [{ kind: 'token_expired', times: 4 }, failure('needs-reauth')],
    ] as const) {
      scene.fault({ ...fault, call: 'metrics' })
      await t.rejects(ask(), expected, `${asking}: ${fault.kind}`)
      t.same(sandbox.faults.pending(), [])
      await t.resolves(ask(), `${asking}: after ${fault.kind}`)
    }
    for (const kind of ['slow', 'token_expired'] as const) {
      scene.fault({ kind, call: 'metrics', delayMs: 20 })
      await t.resolves(ask(), `${asking}: ${kind}`)
      t.same(sandbox.faults.pending(), [])
    }
  }
})

t.test('without the scope, or an access that can be renewed, there are no numbers', async (t) => {
  const scene = await givenChannel(t)
  const { sandbox, account, io } = scene
  const known = sandbox.ledger.account('youtube', account.externalId) ?? t.fail('it is connected')
  if (typeof known !== 'object') return
  const scoped = (scope: string) => sandbox.ledger.saveAccount({ ...known, secrets: { ...known.secrets, scope } })
  const lost = { ...io, credentials: memoryCredentials({ accessToken: 'void' }) }
  for (const [asking, ask] of Object.entries(ASKING)) {
    scoped('https://www.googleapis.com/auth/youtube.upload')
    const expected = { ...failure('forbidden'), message: /with the scope youtube.force-ssl/ }
    await t.rejects(ask(scene), expected, asking)
    scoped('https://www.googleapis.com/auth/youtube.force-ssl')
    await t.resolves(ask(scene), asking)
    await t.rejects(ask({ ...scene, io: lost }), failure('needs-reauth'), asking)
  }
})

t.test('a competitor is found by what people know a channel by', async (t) => {
  const scene = await givenChannel(t)
  const id = 'UCpark-walks------------'
  const walks = { externalId: id, handle: 'park-walks', label: 'Park Walks' }
  for (const given of [
    'park-walks',
    '@park-walks',
    '  @Park-Walks ',
    id,
    'https://www.youtube.com/@park-walks',
    'https://www.youtube.com/@park-walks/videos?view=0#top',
    'http://youtube.com/@park-walks/',
    'youtube.com/@park-walks',
    'HTTPS://M.YouTube.com/@park%2Dwalks',
    `https://www.youtube.com/channel/${id}`,
    'https://www.youtube.com/user/park-walks',
  ]) {
    scene.calls.length = 0
    t.same(await found(scene, given), walks, given)
    t.same(scene.calls, [CHANNELS], 'one unit of the quota')
  }
  for (const given of [
    'nobody',
    '@nobody-here',
    'youtube.com/@nobody',
    `UC${'nobody'.padEnd(22, '-')}`,
    'x'.repeat(30),
  ]) {
    t.equal(await found(scene, given), undefined, given)
  }
  scene.calls.length = 0
  for (const given of [
    '',
    '@',
    ' ',
    'two words',
    'a&mine=true',
    'x'.repeat(101),
    'https://',
    'https://youtube.example/@park-walks',
    'https://youtube.com.example/@park-walks',
    'https://www.youtube.com/',
    'https://www.youtube.com/watch?v=a_video_001',
    'https://www.youtube.com/c/ParkWalks',
    'https://www.youtube.com/channel/park-walks',
    'https://www.youtube.com/@%E0%A4',
    'ftp://youtube.com/@park-walks',
  ]) {
    t.equal(await found(scene, given), undefined, given)
  }
  t.same(scene.calls, [], 'what can be no channel is not asked for')

  const told = (snippet: object) => {
    scene.intercept(() => answer(200, { items: [{ id, snippet }] }))
    return found(scene, 'x')
  }
  t.same(await told({ title: 'Walks' }), { externalId: id, handle: id, label: 'Walks' }, 'it has no handle')
  t.same(await told({ customUrl: '@wälks' }), { externalId: id, handle: 'wälks', label: 'wälks' }, 'it has no name')
  t.same(await told({ customUrl: 'walks', title: 7 }), { externalId: id, handle: 'walks', label: 'walks' })
  const asked: (string | null)[] = []
  scene.intercept((url) => {
    asked.push(url.searchParams.get('forHandle'))
    return answer(200, {})
  })
  t.equal(await found(scene, 'https://www.youtube.com/@%E6%95%A3%E6%AD%A9'), undefined)
  t.same(asked, ['散歩'])
})

t.test('a check of a competitor returns the channel and its newest videos', async (t) => {
  const scene = await givenChannel(t)
  const known = (await found(scene, '@park-walks')) ?? t.fail('it is there')
  if (typeof known !== 'object') return
  scene.calls.length = 0
  const facts = await looked(scene, known.externalId)
  t.same(scene.calls, [CHANNELS, UPLOADS, VIDEOS])
  t.match(facts, known)
  const { followers = 0, posts = 0, views = 0, recent = [] } = facts ?? {}
  t.ok(followers > 0 && posts >= recent.length && views > 0)
  t.ok(recent.length >= 5, `${recent.length} videos in 30 days`)
  const times = recent.map(({ createdAt }) => createdAt)
  t.same(times, times.toSorted().toReversed(), 'the newest first')
  t.ok(times.every((time) => Date.parse(time) >= scene.clock.now() - 30 * DAY_MS && isoTime(Date.parse(time)) === time))
  t.ok(recent.every(({ metrics }) => ['views', 'likes', 'comments'].every((name) => Object.hasOwn(metrics, name))))
  t.equal(new Set(recent.map(({ id }) => id)).size, recent.length)

  await later(scene, 2 * DAY_MS)
  const after = await looked(scene, known.externalId, 32 * DAY_MS)
  const viewsOf = (facts: CompetitorFacts | undefined) =>
    new Map(facts?.recent.map(({ id, metrics }) => [id, metrics.views]))
  const grown = viewsOf(after)
  for (const [id, views = NaN] of viewsOf(facts)) t.ok((grown.get(id) ?? NaN) >= views, 'its videos stay, and grow')
  t.ok((after?.views ?? NaN) > views && (after?.followers ?? NaN) >= followers)
  t.same((await looked(scene, known.externalId, 0))?.recent, [])

  scene.calls.length = 0
  const long = await looked(scene, known.externalId, 3_650 * DAY_MS)
  t.equal(long?.recent.length, 100, 'the newest hundred')
  t.same(scene.calls, [CHANNELS, UPLOADS, VIDEOS, UPLOADS, VIDEOS])
})

t.test('a competitor that has gone is none, and one without videos has none', async (t) => {
  const scene = await givenChannel(t)
  t.equal(await looked(scene, `UC${'nobody'.padEnd(22, '-')}`), undefined)
  t.equal(await looked(scene, 'UCnever'), undefined)

  const account = await givenAccount(scene.http, scene.sandbox, 'youtube', { label: 'New Walks' })
  const other = { ...scene, account }
  const facts = { externalId: account.externalId, handle: account.externalId, label: 'New Walks', posts: 0, views: 0 }
  const { followers: _, ...told } = (await looked(scene, account.externalId)) ?? {}
  t.same(told, { ...facts, recent: [] }, 'YouTube has no list of its uploads')
  givenVideo(other, 'is_private1', details('private'))
  t.same((await looked(scene, account.externalId))?.recent, [])
  const id = givenVideo(other, 'is_public_1')
  t.match(await looked(scene, account.externalId), { posts: 1, recent: [{ id, metrics: { views: 0 } }] })
  scene.intercept((url) => {
    if (url.pathname.endsWith('/videos')) scene.sandbox.ledger.removePost('youtube', id)
    return undefined
  })
  t.same((await looked(scene, account.externalId))?.recent, [], 'deleted between two calls')
})

t.test('what a list of uploads has of any shape is read as far as it can be', async (t) => {
  const scene = await givenChannel(t)
  const id = 'UCpark-walks------------'
  const now = isoTime(scene.clock.now())
  const item = (videoId: unknown, videoPublishedAt: unknown = now) => ({
    contentDetails: { videoId, videoPublishedAt },
  })
  let pages = 0
  const listed = (
    answerTo: (page: number) => object,
    contentDetails: unknown = { relatedPlaylists: { uploads: 'UU' } },
  ) => {
    pages = 0
    scene.intercept((url) => {
      if (url.pathname.endsWith('/channels')) return answer(200, { items: [{ id, contentDetails }] })
      if (url.pathname.endsWith('/playlistItems')) return answer(200, answerTo((pages += 1)))
      const ids = (url.searchParams.get('id') ?? '').split(',')
      return answer(200, { items: ids.map((id) => ({ id, statistics: { viewCount: '7' } })) })
    })
    return looked(scene, id, DAY_MS)
  }
  const idsOf = (facts: CompetitorFacts | undefined) => facts?.recent.map(({ id }) => id)

  const odd = [
    null,
    'x',
    {},
    item(7),
    item(''),
    item('secret', null),
    item('late', 'soon'),
    { contentDetails: { videoId: 'a' } },
  ]
  t.same(idsOf(await listed(() => ({ items: [...odd, item('fine')] }))), ['fine'])
  t.same(await listed(() => ({ items: [item('fine', now.replace('Z', '+00:00'))] })), {
    externalId: id,
    handle: id,
    label: id,
    recent: [{ id: 'fine', createdAt: now, metrics: { views: 7 } }],
  })
  t.same(idsOf(await listed(() => ({}))), [])
  for (const contentDetails of [undefined, {}, { relatedPlaylists: {} }, { relatedPlaylists: { uploads: '' } }]) {
    t.same(idsOf(await listed(() => ({ items: [item('fine')] }), contentDetails ?? null)), [], 'no list is named')
    t.equal(pages, 0)
  }
  t.same(idsOf(await listed((page) => ({ items: [item(`v${page}`)], nextPageToken: 'again' }))), ['v1', 'v2'])
  t.equal(pages, 2, 'a list without an end is read to its second page')
  const old = isoTime(scene.clock.now() - 2 * DAY_MS)
  t.same(idsOf(await listed(() => ({ items: [item('new'), item('old', old)], nextPageToken: 'more' }))), ['new'])
  t.equal(pages, 1, 'behind an older one there is nothing newer')
})

t.test('the sandbox refuses what YouTube refuses of numbers', async (t) => {
  const scene = await givenChannel(t)
  const { http, account, sandbox } = scene
  const mine = `UU${account.externalId.slice(2)}`
  const token = account.credentials['accessToken'] ?? ''
  const call = (path: string, authorization = `Bearer ${token}`) =>
    http.request(`${account.baseUrl}/youtube/v3/${path}`, { headers: { authorization } })
  const many = Array.from({ length: 51 }, (_, n) => `id${n}`).join()
  for (const [path, status, reason] of [
    [`videos?part=statistics&id=${many}`, 400, 'badRequest'],
    ['videos?part=statistics', 400, 'missingRequiredParameter'],
    ['videos?part=statistics&id=a&maxResults=5', 400, 'badRequest'],
    ['videos?part=numbers&id=a', 400, 'unknownPart'],
    ['channels?part=statistics', 400, 'missingRequiredParameter'],
    ['channels?part=statistics&mine=false', 400, 'badRequest'],
    ['channels?part=statistics&mine=true&forHandle=a', 400, 'incompatibleParameters'],
    ['channels?part=statistics&forHandle=', 400, 'badRequest'],
    [`channels?part=statistics&id=${many}`, 400, 'badRequest'],
    [`playlistItems?part=contentDetails&playlistId=${mine}&maxResults=51`, 400, 'badRequest'],
    ['playlistItems?part=statistics&playlistId=UUx', 400, 'unknownPart'],
    ['playlistItems?part=contentDetails&playlistId=UUx', 404, 'playlistNotFound'],
  ] as const) {
    scene.fault({ kind: 'reject', call: 'metrics' })
    const response = await call(path)
    t.match(response.json(), { error: { code: status, errors: [{ reason }] } }, path.slice(0, 60))
    t.equal(response.status, status)
    t.equal(sandbox.faults.pending().length, 1, 'a fault waits for a call that is in order')
    sandbox.faults.clear()
  }
  for (const path of ['videos?part=statistics&id=a', 'channels?part=statistics&mine=true']) {
    t.match((await call(path, 'Bearer none')).json(), { error: { errors: [{ reason: 'authError' }] } })
    t.match((await call(path, '')).json(), { error: { errors: [{ reason: 'required' }] } })
  }
  const none = (await call('channels?part=statistics&forHandle=nobody')).json()
  t.match(none, { kind: 'youtube#channelListResponse', pageInfo: { totalResults: 0 }, items: undefined })
  t.match((await call(`playlistItems?part=snippet&playlistId=${mine}`)).json(), { items: { length: 0 } })
  const stranger = await givenAccount(http, sandbox, 'youtube')
  givenVideo({ ...scene, account: stranger }, 'is_private1', details('private'))
  const theirs = await call(`playlistItems?part=snippet&playlistId=UU${stranger.externalId.slice(2)}`)
  t.equal(theirs.status, 404, 'a list of what only its owner may see')
  givenVideo(scene)
  const [video] = ((await call('videos?part=statistics&id=a_video_001,a_video_001')).json() as { items: object[] })
    .items
  t.same(Object.keys(video ?? {}), ['kind', 'etag', 'id', 'statistics'])
  t.match((await call(`playlistItems?part=contentDetails&playlistId=${mine}`)).json(), {
    kind: 'youtube#playlistItemListResponse',
    items: [
      {
        kind: 'youtube#playlistItem',
        snippet: undefined,
        contentDetails: {
          videoId: 'a_video_001',
          videoPublishedAt: sandbox.ledger.post('youtube', 'a_video_001')?.createdAt,
        },
      },
    ],
  })
  await later(scene, 365 * DAY_MS)
  const renewed = await youtube.connect(account.credentials, account.baseUrl, scene.io)
  const told = await call(
    'channels?part=statistics&id=UCpark-walks------------',
    `Bearer ${renewed.credentials['accessToken']}`,
  )
  const { subscriberCount } =
    (told.json() as { items: { statistics: { subscriberCount: string } }[] }).items[0]?.statistics ?? {}
  t.match(subscriberCount, /^\d{3}0+$/, 'subscribers have three significant digits')
})
