import fc from 'fast-check'
import t from 'tap'
import { METRICS, type PostMetrics } from '../domain/analytics/metrics.ts'
import { HttpFailure, type HttpResponse } from '../infra/http/http.ts'
import { analytics } from '../platforms/pinterest/analytics.ts'
import { pinterest } from '../platforms/pinterest/index.ts'
import type { PlatformIo } from '../platforms/kit/platform.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { publish } from './support/connector.ts'
import { answering, errorOf, givenPin, givenScene, prepared, watched, type Scene } from './support/pinterest.ts'
import { givenAccount, ioOf } from './support/sandbox.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const PIN = 'GET /v5/pins/:id'
const REPORT = 'GET /v5/pins/:id/analytics'
const USER = 'GET /v5/user_account'

const OF_ANY_PIN = ['comments', 'impressions', 'outboundClicks', 'pinClicks', 'reactions', 'saves']

const counted = ({ image, io }: Pick<Scene, 'image' | 'io'>, ids: readonly string[], more: Partial<PlatformIo> = {}) =>
  analytics.metrics(image.account, ids, { ...io, ...more })
const channelOf = ({ image, io }: Pick<Scene, 'image' | 'io'>, more: Partial<PlatformIo> = {}) =>
  analytics.channel(image.account, { ...io, ...more })

const later = ({ clock }: Scene, ms: number) => clock.advanceTo(clock.now() + ms)

/** What some calls are answered with instead. Nothing: they are asked. */
type Instead = { readonly status?: number; readonly body?: unknown; readonly headers?: object } | undefined

function meeting({ http }: Scene, instead: (call: string, url: URL, given: HttpResponse) => Instead) {
  return watched(http, async (call, ask, url) => {
    const given = await ask()
    const over = instead(call, new URL(url), given)
    return over ? answering(given, { status: 200, ...over }) : given
  })
}

/** The numbers of one Pin, with its calls answered otherwise. */
async function countedMeeting(scene: Scene, id: string, answers: Readonly<Record<string, Instead>>) {
  const { http } = meeting(scene, (call) => answers[call])
  return (await counted(scene, [id], { http })).get(id)
}

const says = (code: number, message: string) => ({ code, message })

t.test('given a published Pin, when time passes, then its numbers grow, and never shrink', async (t) => {
  for (const mediaType of ['image', 'video'] as const) {
    const scene = await givenScene(t)
    t.equal(pinterest.analytics, analytics)
    t.equal(analytics.competitors, undefined, 'Pinterest has no numbers of others')
    const job = {
      ...scene.image,
      mediaType,
      ...(mediaType === 'video' && { mediaUrl: `${scene.sandbox.url}/media/sample.mp4` }),
    }
    const { handle } = await prepared(scene, job, scene.io)
    const { postId } = await publish(pinterest, job, handle, scene.io)
    const names = mediaType === 'video' ? [...OF_ANY_PIN, 'views'] : OF_ANY_PIN

    const start = scene.clock.now()
    let before: PostMetrics = {}
    let followers = 0
    for (const age of [0, HOUR_MS, 6 * HOUR_MS, DAY_MS, 2 * DAY_MS, 10 * DAY_MS, 40 * DAY_MS, 80 * DAY_MS]) {
      await scene.clock.advanceTo(start + age)
      const now = (await counted(scene, [postId])).get(postId) ?? {}
      t.same(Object.keys(now).toSorted(), names)
      for (const name of METRICS) t.ok((now[name] ?? 0) >= (before[name] ?? 0), `${name} after ${age} ms`)
      t.ok((now.saves ?? 0) + (now.outboundClicks ?? 0) <= (now.impressions ?? NaN), 'who clicks has seen it')
      const channel = await channelOf(scene)
      t.same({ ...channel, followers: 0 }, { followers: 0, posts: 1 })
      t.ok((channel.followers ?? NaN) >= followers)
      followers = channel.followers ?? NaN
      before = now
    }
    t.ok((before.impressions ?? 0) >= 790 && followers > 0)

    let old: PostMetrics = {}
    // In steps, as access that nobody renews for 60 days is over; and long after the last that a Pin is looked at.
    for (const age of [120, 160, 200]) {
      await scene.clock.advanceTo(start + age * DAY_MS)
      old = (await counted(scene, [postId])).get(postId) ?? {}
    }
    t.same([old.impressions, old.saves, old.pinClicks], [0, 0, 0], 'what is older than 90 days is not counted')
    t.equal(old.reactions, before.reactions, 'but for what is counted over its life')
    t.ok((old.reactions ?? 0) > 0)
  }
})

t.test('given Pins, when they are asked for, then each is two calls, and none is asked for without need', async (t) => {
  const scene = await givenScene(t)
  const ids = Array.from({ length: analytics.postsPerCall }, () => givenPin(scene))
  for (const asked of [0, 1, ids.length - 1, ids.length]) {
    const { http, calls } = watched(scene.http)
    const numbers = await counted(scene, ids.slice(0, asked), { http })
    t.same([...numbers.keys()].toSorted(), ids.slice(0, asked).toSorted())
    const each = Array.from({ length: asked })
    t.same(calls.toSorted(), [...each.map(() => PIN), ...each.map(() => REPORT)])
  }
})

t.test('given the days of a report, then it covers 90 of them in UTC, and asks for views of videos only', async (t) => {
  const scene = await givenScene(t)
  for (const mediaType of ['image', 'video'] as const) {
    const id = givenPin(scene, { mediaType })
    const queries: URLSearchParams[] = []
    const { http } = watched(scene.http, (call, ask, url) => {
      if (call === REPORT) queries.push(new URL(url).searchParams)
      return ask()
    })
    await counted(scene, [id], { http })
    const today = isoTime(scene.clock.now()).slice(0, 10)
    const [query = new URLSearchParams()] = queries
    t.equal(query.get('end_date'), today)
    t.equal(Date.parse(today) - Date.parse(query.get('start_date') ?? ''), 89 * DAY_MS)
    t.equal(query.get('metric_types')?.includes('VIDEO_MRC_VIEW'), mediaType === 'video')
  }
})

t.test('given Pins that Pinterest does not have or does not show, then they are left out', async (t) => {
  const scene = await givenScene(t)
  const [kept, gone] = [givenPin(scene), givenPin(scene)]
  scene.sandbox.ledger.removePost('pinterest', gone)
  const stranger = await givenAccount(scene.http, scene.sandbox, 'pinterest')
  const theirs = givenPin({ ...scene, account: stranger })
  const numbers = await counted(scene, [gone, theirs, kept, '404404404404', 'no/pin?at=all'])
  t.same([...numbers.keys()], [kept])
  t.same(await counted(scene, [gone, '404404404404']), new Map())
  const expected = { kind: 'permanent', message: /The board may belong to another account/ }
  t.match(await errorOf(counted(scene, [gone, theirs])), expected, 'when that is all, the error says why')

  const { http } = watched(scene.http, (call, ask) => {
    if (call === REPORT) scene.sandbox.ledger.removePost('pinterest', kept)
    return ask()
  })
  const deleted = (await counted(scene, [kept], { http })).get(kept) ?? {}
  t.notOk(Object.hasOwn(deleted, 'saves'), 'deleted between two calls: what the Pin itself has shown is kept')
  t.ok(Object.hasOwn(deleted, 'impressions'))
})

t.test('given a Pin of which nothing is counted yet, then there are no numbers, and no zeros', async (t) => {
  const scene = await givenScene(t)
  const { image } = scene
  const { handle } = await prepared(scene, image, scene.io)
  const uncounted = { ...image, mediaUrl: `${image.mediaUrl}?sandbox=uncounted` }
  const { postId } = await publish(pinterest, uncounted, handle, scene.io)
  await later(scene, 3 * DAY_MS)
  t.same(await counted(scene, [postId]), new Map())

  const day = (data_status: unknown) => ({ date: '2026-03-01', data_status, metrics: {} })
  const summary_metrics = { IMPRESSION: 0, SAVE: 3 }
  const sum = { impressions: 0, saves: 3 }
  for (const [daily_metrics, expected] of [
    [[day('READY')], sum],
    [[day('PROCESSING')], sum],
    [[day('ESTIMATE')], sum],
    [[day('BEFORE_PIN_CREATED'), day('READY'), day('BEFORE_DATA_RETENTION_PERIOD')], sum],
    [[day('BEFORE_BUSINESS_CREATED'), day('BEFORE_PIN_CREATED')], undefined],
    [[day('IN_BAD_TAG_DATE')], undefined],
    [[day('NEVER_HEARD_OF')], undefined],
    [[day(7)], undefined],
    [[], sum],
    [undefined, sum],
    ['none', sum],
  ] as const) {
    const body = { all: { daily_metrics, summary_metrics, lifetime_metrics: {} } }
    t.same(await countedMeeting(scene, postId, { [REPORT]: { body } }), expected, JSON.stringify(daily_metrics))
  }
})

t.test('given numbers that the report leaves out, then those are taken that the Pin itself shows', async (t) => {
  const scene = await givenScene(t)
  const id = givenPin(scene)
  const report = (summary_metrics: object, lifetime_metrics: object = {}) => ({
    body: { all: { daily_metrics: [], summary_metrics, lifetime_metrics } },
  })
  const pin = (pin_metrics: unknown) => ({ body: { id, media: { media_type: 'image' }, pin_metrics } })
  const lately = { pin_click: 1, impression: 2, clickthrough: 3 }
  const ever = { pin_click: 10, impression: 20, clickthrough: 30, reaction: 40, comment: 50 }
  const both = { '90d': lately, lifetime_metrics: ever }
  const shown = { impressions: 2, pinClicks: 1, outboundClicks: 3, comments: 50, reactions: 40 }
  for (const [metrics, reported, expected] of [
    [both, report({}), shown],
    [
      both,
      report({ IMPRESSION: 0, SAVE: 7 }, { TOTAL_COMMENTS: 8 }),
      { ...shown, impressions: 0, saves: 7, comments: 8 },
    ],
    [
      { lifetime_metrics: ever },
      report({}),
      { impressions: 20, pinClicks: 10, outboundClicks: 30, comments: 50, reactions: 40 },
    ],
    [{ '90d': lately }, report({}), { impressions: 2, pinClicks: 1, outboundClicks: 3 }],
    [{ '90d': { impression: null, pin_click: '9' } }, report({ SAVE: 0 }), { saves: 0 }],
    [null, report({ SAVE: 1 }), { saves: 1 }],
    [undefined, report({}), undefined],
    ['none', report({}), undefined],
    [both, { status: 403, body: says(7, 'Not authorized to access board or Pin.') }, shown],
    [both, { status: 403, body: says(403, 'Not for your account') }, shown],
    [both, { status: 404, body: says(50, 'Pin not found.') }, shown],
    [null, { status: 404, body: says(50, 'Pin not found.') }, undefined],
  ] as const) {
    const found = await countedMeeting(scene, id, { [PIN]: pin(metrics), [REPORT]: reported })
    t.same(found, expected, JSON.stringify([metrics, reported]))
  }
  const refused = { [PIN]: pin(null), [REPORT]: { status: 403, body: says(403, 'Not for your account') } }
  t.match(await errorOf(countedMeeting(scene, id, refused)), { kind: 'permanent', message: /Not for your account/ })
})

t.test('given counts of any shape, then they are read as far as they are counts', async (t) => {
  const scene = await givenScene(t)
  const id = givenPin(scene, { mediaType: 'video' })
  const exact = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).map((number) => [number, number] as const)
  const odd = fc
    .constantFrom<unknown>(undefined, null, -1, 0.5, 2 ** 53, 1e300, '7', '', true, {}, [])
    .map((value) => [value, undefined] as const)
  const given: fc.Arbitrary<readonly [unknown, number | undefined]> = fc.oneof(exact, odd)
  const names = {
    IMPRESSION: 'impressions',
    SAVE: 'saves',
    PIN_CLICK: 'pinClicks',
    OUTBOUND_CLICK: 'outboundClicks',
    VIDEO_MRC_VIEW: 'views',
    TOTAL_COMMENTS: 'comments',
    TOTAL_REACTIONS: 'reactions',
  } as const
  const counts = fc.record({
    IMPRESSION: given,
    SAVE: given,
    PIN_CLICK: given,
    OUTBOUND_CLICK: given,
    VIDEO_MRC_VIEW: given,
    TOTAL_COMMENTS: given,
    TOTAL_REACTIONS: given,
  })
  await fc.assert(
    fc.asyncProperty(counts, given, given, async (counts, followers, pins) => {
      const all = Object.entries(counts).map(([name, [value]]) => [name, value] as const)
      const isOfLife = ([name]: readonly [string, unknown]) => name.startsWith('TOTAL')
      const body = {
        all: {
          summary_metrics: Object.fromEntries(all.filter((each) => !isOfLife(each))),
          lifetime_metrics: Object.fromEntries(all.filter(isOfLife)),
        },
        MOBILE: 'whatever',
      }
      const pin = { body: { media: { media_type: 'video' }, pin_metrics: null } }
      const expected = Object.entries(names).flatMap(([name, metric]) => {
        const [, value] = counts[name as keyof typeof names]
        return value === undefined ? [] : [[metric, value] as const]
      })
      const found = await countedMeeting(scene, id, { [PIN]: pin, [REPORT]: { body } })
      t.same(found, expected.length === 0 ? undefined : Object.fromEntries(expected))

      const user = { id: '1', follower_count: followers[0], pin_count: pins[0], monthly_views: 7 }
      const { http } = meeting(scene, () => ({ body: user }))
      const told = Object.entries({ followers: followers[1], posts: pins[1] }).filter(
        ([, value]) => value !== undefined,
      )
      t.same(await channelOf(scene, { http }), Object.fromEntries(told))
    }),
    { numRuns: 60 },
  )
})

t.test('given a Pin of any other sort, then it has no views', async (t) => {
  const scene = await givenScene(t)
  const id = givenPin(scene)
  for (const media of [undefined, null, {}, 'video', { media_type: 'multiple_images' }, { media_type: 7 }]) {
    const { http, calls } = meeting(scene, (call) =>
      call === PIN ? { body: { id, media, pin_metrics: null } } : undefined,
    )
    const numbers = (await counted(scene, [id], { http })).get(id) ?? {}
    t.same(Object.keys(numbers).toSorted(), OF_ANY_PIN, JSON.stringify(media))
    t.same(calls, [PIN, REPORT])
  }
})

t.test('given an error of Pinterest, then whatever asks for numbers says so', async (t) => {
  const scene = await givenScene(t)
  const id = givenPin(scene)
  for (const [call, ask] of [
    [PIN, (http: Scene['http']) => counted(scene, [id], { http })],
    [REPORT, (http: Scene['http']) => counted(scene, [id], { http })],
    [USER, (http: Scene['http']) => channelOf(scene, { http })],
  ] as const) {
    const scopes = call === USER ? /user_accounts:read\.$/ : /boards:read and pins:read\.$/
    for (const [status, body, expected] of [
      [401, says(7, 'No permission'), { kind: 'forbidden', message: scopes }],
      [401, says(7, 'Missing scope'), { kind: 'forbidden', message: scopes }],
      [403, says(29, 'Your token lacks a scope'), { kind: 'forbidden', message: scopes }],
      [401, says(2, 'Authentication failed'), { kind: 'needs-reauth', message: /does not accept the access token/ }],
      [400, says(1, 'bad start_date'), { kind: 'permanent', message: /HTTP 400, code 1, bad start_date/ }],
      [429, says(8, 'Slow down'), { kind: 'retryable', retryAfterMs: 60_000, accountRests: true }],
      [302, '', { kind: 'permanent' }],
      [408, '', { kind: 'retryable' }],
      [500, says(12, 'Oops'), { kind: 'retryable', accountRests: false }],
      [502, '<html>', { kind: 'retryable' }],
      [200, '<html>', { kind: 'retryable' }],
      [200, '{"all":', { kind: 'retryable' }],
      [200, [], { kind: 'retryable' }],
      [200, 'null', { kind: 'retryable' }],
    ] as const) {
      const { http } = meeting(scene, (made) => (made === call ? { status, body } : undefined))
      const error = await errorOf(ask(http))
      t.match(error, expected, `${call} ${status} ${JSON.stringify(body)}: ${error.message}`)
      for (const secret of Object.values(await scene.credentials.read()).filter((value) => value.length > 30)) {
        t.notOk(error.message.includes(secret))
      }
    }
    const broken = watched(scene.http, (made, ask) => {
      if (made !== call) return ask()
      throw new HttpFailure('timeout', 'no answer', true)
    })
    t.match(await errorOf(ask(broken.http)), { kind: 'retryable' }, 'no answer')
    const large = {
      ...scene.http,
      request: (url: string, request = {}) => scene.http.request(url, { ...request, maxBytes: 60 }),
    }
    t.match(await errorOf(ask(large)), { kind: 'retryable', message: /too large/ })
  }
  for (const status of [403, 404]) {
    const { http } = meeting(scene, () => ({ status, body: says(status, 'Not for you') }))
    t.match(await errorOf(channelOf(scene, { http })), { kind: 'permanent', message: /Not for you/ })
  }
  const passing = meeting(scene, (_call, url) => (url.pathname.includes('404404') ? { status: 503 } : undefined))
  const error = await errorOf(counted(scene, [id, '404404404404'], { http: passing.http }))
  t.match(error, { kind: 'retryable' }, 'what passes is not left out')
})

t.test('given scripted faults, then each has its own error, and is temporary', async (t) => {
  const scene = await givenScene(t)
  const id = givenPin(scene)
  for (const [fault, expected] of [
    [
      { kind: 'rate_limit', retryAfterSeconds: 7 },
      { kind: 'retryable', retryAfterMs: 7_000, accountRests: true },
    ],
    [{ kind: 'server_error' }, { kind: 'retryable' }],
    [{ kind: 'accept_then_timeout' }, { kind: 'retryable' }],
    [{ kind: 'reject' }, { kind: 'permanent', message: /Not authorized/ }],
    [{ kind: 'token_expired', times: 4 }, { kind: 'needs-reauth' }],
  ] as const) {
    scene.script({ ...fault, call: 'metrics' })
    t.match(await errorOf(counted(scene, [id])), expected, JSON.stringify(fault))
    t.same(scene.sandbox.faults.pending(), [])
    t.equal((await counted(scene, [id])).size, 1)
  }
  for (const kind of ['slow', 'token_expired'] as const) {
    scene.script({ kind, call: 'metrics', delayMs: 20 })
    t.equal((await counted(scene, [id])).size, 1, kind)
    t.same(scene.sandbox.faults.pending(), [])
  }
})

t.test('given a scope that its owner refused, then it is named, and there are no numbers', async (t) => {
  const scene = await givenScene(t)
  const { sandbox, account } = scene
  const id = givenPin(scene)
  const known = sandbox.ledger.account('pinterest', account.externalId) ?? t.fail('it is there')
  if (typeof known !== 'object') return
  const all = ['boards:read', 'pins:read', 'user_accounts:read']
  const refused = (scope: string) => {
    const scopes = all.filter((each) => each !== scope)
    sandbox.ledger.saveAccount({ ...known, secrets: { ...known.secrets, scope: scopes.join(' ') } })
  }
  for (const [scope, ask] of [
    ['boards:read', () => counted(scene, [id])],
    ['pins:read', () => counted(scene, [id])],
    ['user_accounts:read', () => channelOf(scene)],
  ] as const) {
    refused(scope)
    const error = await errorOf(ask())
    t.match(error, { kind: 'forbidden' })
    t.ok(error.message.includes(`lacks the scope ${scope}`), error.message)
    refused('')
    t.ok(await ask())
  }
  const io = ioOf(scene.http, { accessToken: 'void' }, { clock: scene.clock })
  t.match(await errorOf(counted({ ...scene, io }, [id])), { kind: 'needs-reauth' })
  t.match(await errorOf(channelOf({ ...scene, io })), { kind: 'needs-reauth' })
})

t.test('given a wrong request, then the sandbox refuses it as Pinterest does', async (t) => {
  const scene = await givenScene(t)
  const { http, account, sandbox, clock } = scene
  const [image, video] = [givenPin(scene), givenPin(scene, { mediaType: 'video' })]
  const token = account.credentials['accessToken'] ?? ''
  const call = (path: string, authorization = `Bearer ${token}`) =>
    http.request(`${account.baseUrl}/v5/pins/${path}`, { headers: { authorization } })
  const date = (days: number) => isoTime(clock.now() + days * DAY_MS).slice(0, 10)
  const report = (from: string, to: string, types = 'IMPRESSION') =>
    `${image}/analytics?start_date=${from}&end_date=${to}&metric_types=${types}`
  for (const [path, status, code] of [
    [report(date(-91), date(0)), 400, 1],
    [report(date(0), date(-1)), 400, 1],
    [report(date(-10), date(81)), 400, 1],
    [report('yesterday', date(0)), 400, 1],
    [report('2026-02-30', date(0)), 400, 1],
    [report(date(-1), date(0), ''), 400, 1],
    [report(date(-1), date(0), 'LIKES'), 400, 1],
    [report(date(-1), date(0), 'IMPRESSION,VIDEO_MRC_VIEW'), 400, 1],
    [report(date(-1), date(0)).replace(/&metric_types.*/, ''), 400, 1],
    [`${report(date(-1), date(0))}&split_field=DAY`, 400, 1],
    [report(date(-1), date(0)).replace(image, '404404404404'), 404, 50],
    [`${image}?pin_metrics=yes`, 400, 1],
    ['404404404404', 404, 50],
  ] as const) {
    scene.script({ kind: 'reject', call: 'metrics' })
    const response = await call(path)
    t.match([response.status, response.json()], [status, { code }], path)
    t.equal(sandbox.faults.pending().length, 1, 'a fault waits for a call that is in order')
    sandbox.faults.clear()
  }
  for (const path of [image, report(date(-1), date(0))]) {
    t.match((await call(path, 'Bearer none')).json(), { code: 2 })
    t.match((await call(path, '')).json(), { code: 2 })
  }
  t.match((await call(image)).json(), { id: image, pin_metrics: null }, 'numbers are shown to who asks for them')
  const { all } = (
    await call(report(date(-90), date(0), 'IMPRESSION,TOTAL_COMMENTS').replace(image, video))
  ).json() as {
    all: { daily_metrics: readonly { data_status: string; metrics: object }[]; summary_metrics: object }
  }
  t.equal(all.daily_metrics.length, 91)
  t.match(all.daily_metrics[0], { data_status: 'BEFORE_PIN_CREATED' })
  t.same(all.daily_metrics[0]?.metrics, {})
  t.match(all.daily_metrics.at(-1), { data_status: 'PROCESSING', metrics: { IMPRESSION: 0 } })
  t.same(Object.keys(all.summary_metrics), ['IMPRESSION'], 'comments are counted over the life of a Pin')

  await later(scene, 5 * DAY_MS)
  const renewed = await pinterest.connect(account.credentials, account.baseUrl, scene.io)
  const path = report(date(-5), date(0), 'IMPRESSION,SAVE')
  const days = (await call(path, `Bearer ${renewed.credentials['accessToken']}`)).json() as {
    all: {
      daily_metrics: readonly { data_status: string; metrics: { IMPRESSION?: number } }[]
      summary_metrics: { IMPRESSION: number }
    }
  }
  const statuses = days.all.daily_metrics.map(({ data_status }) => data_status)
  t.same(statuses, ['READY', 'READY', 'READY', 'READY', 'ESTIMATE', 'PROCESSING'])
  const sum = days.all.daily_metrics.reduce((sum, { metrics }) => sum + (metrics.IMPRESSION ?? 0), 0)
  t.equal(sum, days.all.summary_metrics.IMPRESSION)
})
