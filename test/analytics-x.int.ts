import t from 'tap'
import fc from 'fast-check'
import type { PostMetrics } from '../domain/analytics/metrics.ts'
import { PlatformError } from '../platforms/kit/platform.ts'
import { competitors } from '../platforms/x/analytics-competitors.ts'
import { analytics } from '../platforms/x/analytics.ts'
import { x } from '../platforms/x/index.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { accountOf, givenAccount, ioOf } from './support/sandbox.ts'
import { fault, givenMention, givenPost, givenX, refusal, replyTo, type Scene } from './support/x.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const COUNTED = ['bookmarks', 'impressions', 'likes', 'quotes', 'replies', 'reposts'] as const
const { postsPerCall } = analytics

const metrics = ({ job, io }: Scene, ids: readonly string[]) => analytics.metrics(job.account, ids, io)
const channel = ({ job, io }: Scene) => analytics.channel(job.account, io)
const find = ({ job, io }: Scene, handle: string) => competitors.find(job.account, handle, io)
const look = ({ job, io, clock }: Scene, id: string, since = isoTime(clock.now() - 30 * DAY_MS)) =>
  competitors.look(job.account, id, since, io)

const mustFind = async (scene: Scene, handle: string) => {
  const found = await find(scene, handle)
  if (!found) throw new Error(`${handle} was not found`)
  return found
}
const renamed = (scene: Scene): Scene => {
  const account = { ...scene.job.account, baseUrl: `${scene.proxy.url}/sandbox=new-names` }
  return { ...scene, job: { ...scene.job, account } }
}
const callsOf = async ({ proxy }: Scene, work: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = proxy.calls.length
  await work()
  return proxy.calls.slice(before)
}
const answers = (body: unknown, status = 200, headers = {}) =>
  ({ kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }) as const
const problem = (status: number, detail: string, name?: string) => ({
  title: 'A title',
  detail,
  type: name ? `https://api.x.com/2/problems/${name}` : 'about:blank',
  status,
})
const NOT_FOUND = { title: 'Not Found Error', type: 'https://api.x.com/2/problems/resource-not-found' }

t.test('the platform returns the metrics of posts', async (t) => {
  t.equal(x.analytics, analytics)
  t.equal(analytics.competitors, competitors)
})

t.test('given published posts', async (t) => {
  const scene = await givenX(t)
  const { clock, sandbox, account } = scene
  const first = await givenPost(scene)
  const second = await givenPost(scene)

  await t.test('when metrics are requested, then every metric of each post is returned in one call', async (t) => {
    const calls = await callsOf(scene, async () => {
      const told = await metrics(scene, [first, second])
      t.same([...told.keys()].toSorted(), [first, second].toSorted())
      for (const counts of told.values()) t.same(Object.keys(counts).toSorted(), COUNTED)
    })
    t.same(calls, ['tweets'])
  })

  await t.test('when time passes, then numbers grow and never shrink', async (t) => {
    let before = new Map<string, PostMetrics>()
    const start = await metrics(scene, [first, second])
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40 * HOUR_MS }), async (ms) => {
        clock.pass(ms)
        const now = await metrics(scene, [first, second])
        const isGrowth = [...now].every(([id, counts]) =>
          COUNTED.every((name) => (counts[name] ?? -1) >= (before.get(id)?.[name] ?? 0)),
        )
        before = new Map(now)
        return now.size === 2 && isGrowth
      }),
      { numRuns: 15, endOnFailure: true },
    )
    clock.pass(20 * DAY_MS)
    const end = await metrics(scene, [first])
    for (const name of ['likes', 'impressions'] as const) {
      t.ok((end.get(first)?.[name] ?? 0) > (start.get(first)?.[name] ?? NaN), name)
    }
  })

  await t.test(
    'when somebody answers one, then it has a reply more, and the reply has numbers of its own',
    async (t) => {
      const before = (await metrics(scene, [first])).get(first)?.replies ?? NaN
      const reply = await givenMention(scene, { postId: first })
      const told = await metrics(scene, [first, reply])
      t.equal(told.get(first)?.replies, before + 1)
      t.same(Object.keys(told.get(reply) ?? {}).toSorted(), COUNTED)
    },
  )

  await t.test('when X has renamed its parameters and fields, then the metrics are the same', async (t) => {
    clock.pass(300 * DAY_MS)
    const old = await metrics(scene, [first, second])
    t.same(await metrics(renamed(scene), [first, second]), old)
    t.ok((old.get(first)?.reposts ?? 0) > 0)
    t.same(await channel(renamed(scene)), await channel(scene))
    const calls = await callsOf(scene, () => metrics(renamed(scene), [first]))
    t.same(calls, ['tweets', 'tweets'])
  })

  await t.test(
    'when one is unknown, deleted or not an ID at all, then it is absent and the others are returned',
    async (t) => {
      const gone = await givenPost(scene)
      sandbox.ledger.removePost('x', gone)
      const odd = ['', 'none', '-1', '1e3', `${first},${second}`, '12345678901234567890', 'at://did:plc:a/b/c']
      t.same([...(await metrics(scene, [...odd, gone, '4711', first])).keys()], [first])
      t.same(await metrics(scene, [gone]), new Map())
      t.same(await callsOf(scene, () => metrics(scene, odd)), [], 'what is no id is not asked for')
    },
  )

  await t.test('when as many are asked for as a call takes, then it is one call, and X refuses one more', async (t) => {
    const many = Array.from({ length: postsPerCall - 1 }, (_, index) => String(1_000 + index))
    t.same(await callsOf(scene, () => metrics(scene, [])), [])
    t.same([...(await metrics(scene, [first])).keys()], [first])
    const calls = await callsOf(scene, async () => {
      t.same([...(await metrics(scene, [...many, first])).keys()], [first])
    })
    t.same(calls, ['tweets'])
    const error = await refusal(metrics(scene, [...many, first, second]))
    t.match(error, { kind: 'permanent', message: /at most 100/ })
  })

  await t.test('when the account is asked for, then its followers and all its posts are counted', async (t) => {
    const own = () => sandbox.ledger.posts('x', { accountId: account.externalId }).length
    const before = await channel(scene)
    t.match(before, { posts: own(), followers: Number })
    t.notOk('views' in before)
    await givenPost(scene)
    await x.conversation?.reply(replyTo(scene, await givenMention(scene)), scene.io)
    clock.pass(20 * DAY_MS)
    const after = await channel(scene)
    t.equal(after.posts, own() + 1)
    t.ok((after.followers ?? 0) >= (before.followers ?? NaN))
    const fresh = await givenX(t)
    const zero = await channel(fresh)
    fresh.clock.pass(20 * DAY_MS)
    t.equal(zero.posts, 0)
    t.ok(((await channel(fresh)).followers ?? 0) > (zero.followers ?? NaN))
  })
})

t.test('given answers in odd shapes', async (t) => {
  const scene = await givenX(t)
  const { proxy } = scene
  const asked = async (data: unknown) => {
    proxy.next('/2/tweets', answers({ data }))
    return Object.fromEntries(await metrics(scene, ['1']))
  }

  await t.test('when numbers are missing or none, then they are absent and never zero', async (t) => {
    const all = { like_count: 1, reply_count: 3, quote_count: 4, bookmark_count: 5, impression_count: 6 }
    const told = { likes: 1, replies: 3, quotes: 4, bookmarks: 5, impressions: 6 }
    for (const [given, expected] of [
      [
        { ...all, retweet_count: 2 },
        { ...told, reposts: 2 },
      ],
      [
        { ...all, repost_count: 2 },
        { ...told, reposts: 2 },
      ],
      [
        { ...all, repost_count: 2, retweet_count: 9 },
        { ...told, reposts: 2 },
      ],
      [
        { ...all, repost_count: null, retweet_count: 2 },
        { ...told, reposts: 2 },
      ],
      [all, told],
      [{ like_count: 0 }, { likes: 0 }],
      [{}, {}],
    ] as const) {
      t.same(await asked([{ id: '1', public_metrics: given }]), { 1: expected }, JSON.stringify(given))
    }
    for (const odd of ['7', -1, 1.5, null, {}, [], true, 1e300]) {
      const given = { like_count: odd, reply_count: 3 }
      t.same(await asked([{ id: '1', public_metrics: given }]), { 1: { replies: 3 } }, JSON.stringify(odd))
    }
  })

  await t.test('when one of several posts cannot be read, then the others are returned', async (t) => {
    const good = { id: '1', public_metrics: { like_count: 1 } }
    const odd = [null, 7, 'text', [], {}, { id: 2, public_metrics: {} }, { id: '3' }, { id: '4', public_metrics: 4 }]
    t.same(await asked([...odd, good]), { 1: { likes: 1 } })
  })

  await t.test('when a response has any shape, then it is read as numbers or reported as unreadable', async () => {
    const row = fc.record({ id: fc.constantFrom('1', '', 1), public_metrics: fc.jsonValue() })
    const body = fc.oneof(fc.jsonValue(), fc.record({ data: fc.oneof(fc.jsonValue(), fc.array(row)) }))
    const isTold = (error: unknown) => error instanceof PlatformError && error.kind === 'retryable'
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('metrics', 'channel', 'find', 'look'), async (body, what) => {
        const work = {
          metrics: { path: '/2/tweets', ask: () => metrics(scene, ['1']) },
          channel: { path: '/me', ask: () => channel(scene) },
          find: { path: '/nasa', ask: () => find(scene, 'nasa') },
          look: { path: '/2/users/4711', ask: () => look(scene, '4711') },
        }[what]
        proxy.next(work.path, answers(body))
        return work.ask().then(() => true, isTold)
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })

  await t.test('when a response is huge or empty, then it is reported as unreadable', async (t) => {
    const huge = { data: [{ id: '1', text: 'x'.repeat(1_100_000), public_metrics: { like_count: 1 } }] }
    for (const body of [huge, {}, '', '<html>', '{"data":7}', '{"data":', 'null', '[]']) {
      proxy.next('/2/tweets', answers(body))
      t.match(await refusal(metrics(scene, ['1'])), { kind: 'retryable' }, JSON.stringify(body).slice(0, 40))
    }
  })
})

t.test('given what X refuses', async (t) => {
  const scene = await givenX(t)
  const { proxy, clock, sandbox, http } = scene
  const post = await givenPost(scene)
  const { externalId: other } = await mustFind(scene, 'nasa')
  const works = [
    { what: 'metrics', path: '/2/tweets', ask: () => metrics(scene, [post]) },
    { what: 'channel', path: '/me', ask: () => channel(scene) },
    { what: 'find', path: '/nasa', ask: () => find(scene, 'nasa') },
    { what: 'look', path: `/users/${other}`, ask: () => look(scene, other) },
    { what: 'look at posts', path: `/${other}/tweets`, ask: () => look(scene, other) },
  ]

  await t.test('when the platform responds with an error, then its kind is recognized', async (t) => {
    const reset = String(Math.ceil(clock.now() / 1_000) + 600)
    const rows: readonly (readonly [number, unknown, Record<string, string>, object])[] = [
      [401, problem(401, 'Unauthorized'), {}, { kind: 'needs-reauth' }],
      [403, problem(403, 'Missing required scope tweet.read'), {}, { kind: 'forbidden', message: /tweet\.read/ }],
      [403, problem(403, 'x', 'unsupported-authentication'), {}, { kind: 'forbidden' }],
      [403, problem(403, 'x', 'client-forbidden'), {}, { kind: 'permanent', message: /developer console/ }],
      [403, problem(403, 'Suspended'), {}, { kind: 'permanent', message: /Suspended/ }],
      [400, problem(400, 'x', 'invalid-request'), {}, { kind: 'permanent' }],
      [402, problem(402, 'No credits'), {}, { kind: 'permanent', message: /credit/ }],
      [429, '', { 'x-rate-limit-reset': reset }, { kind: 'retryable', accountRests: true }],
      [429, problem(429, 'Cap', 'usage-capped'), {}, { kind: 'permanent', accountRests: false }],
      [500, { errors: [{ code: 131, message: 'Internal error' }] }, {}, { kind: 'retryable', message: /Internal/ }],
      [503, '<html>', {}, { kind: 'retryable' }],
      [408, '', {}, { kind: 'retryable' }],
      [302, '', {}, { kind: 'permanent' }],
    ]
    for (const { what, path, ask } of works) {
      for (const [status, body, headers, expected] of rows) {
        // A token that is refused is renewed, and the call made again.
        for (let time = status === 401 ? 4 : 1; time > 0; time -= 1) proxy.next(path, answers(body, status, headers))
        t.match(await refusal(ask()), expected, `${what}: ${status}`)
      }
      proxy.next(path, { kind: 'cut' })
      t.match(await refusal(ask()), { kind: 'retryable' }, `${what}: a connection that broke`)
      t.ok(await ask(), what)
    }
    proxy.next('/me', answers('', 429, { 'x-rate-limit-reset': reset }))
    const { retryAfterMs = 0 } = await refusal(channel(scene))
    t.ok(retryAfterMs > 500_000 && retryAfterMs <= 601_000)
  })

  await t.test('when the sandbox is scripted to fail, then it fails as X would', async (t) => {
    const rows = [
      [{ kind: 'reject' }, 'permanent'],
      [{ kind: 'rate_limit', retryAfterSeconds: 120 }, 'retryable'],
      [{ kind: 'server_error' }, 'retryable'],
      [{ kind: 'accept_then_timeout' }, 'retryable'],
      [{ kind: 'token_expired' }, 'told'],
      [{ kind: 'slow', delayMs: 5 }, 'told'],
      [{ kind: 'token_expired', times: 4 }, 'needs-reauth'],
    ] as const
    for (const { what, ask } of works) {
      for (const [script, expected] of rows) {
        sandbox.faults.script(fault({ call: 'metrics', ...script }))
        const outcome = expected === 'told' ? ((await ask()) ? 'told' : 'nothing') : (await refusal(ask())).kind
        t.equal(outcome, expected, `${what}: ${JSON.stringify(script)}`)
      }
    }
    t.same(sandbox.faults.pending(), [])
  })

  await t.test('when only counting fails, then an account is connected and posts go out all the same', async (t) => {
    sandbox.faults.script(fault({ call: 'metrics', kind: 'reject' }))
    const { credentials, baseUrl } = await givenAccount(http, sandbox, 'x')
    await x.connect(credentials, baseUrl, scene.io)
    await givenPost(scene)
    t.equal(sandbox.faults.pending().length, 1)
    sandbox.faults.clear()
  })

  await t.test('when access has ended permanently, or time runs out, then the error says so', async (t) => {
    const spent = { ...scene, io: ioOf(http, { accessToken: 'void' }, { clock }) }
    t.match(await refusal(metrics(spent, [post])), { kind: 'needs-reauth' })
    t.match(await refusal(channel(spent)), { kind: 'needs-reauth' })
    t.match(await refusal(find(spent, 'nasa')), { kind: 'needs-reauth' })
    const late = { ...scene, io: { ...scene.io, signal: AbortSignal.abort() } }
    t.match(await refusal(metrics(late, [post])), { kind: 'retryable' })
  })
})

t.test('given other accounts', async (t) => {
  const scene = await givenX(t)
  const { clock, proxy, sandbox, http } = scene
  const nasa = await mustFind(scene, 'nasa')

  await t.test('when one is looked for by whatever people know it by, then it is found', async (t) => {
    t.match(nasa, { externalId: /^\d{1,19}$/, handle: 'nasa', label: 'Stranger nasa' })
    for (const handle of [
      ...[
        '@nasa',
        'NASA',
        ' @nasa ',
        'x.com/nasa',
        'https://x.com/nasa',
        'http://www.x.com/@nasa/',
        'HTTPS://X.COM/NASA',
      ],
      ...['https://twitter.com/nasa', 'https://mobile.twitter.com/nasa?lang=en', 'https://x.com/nasa/status/1#top'],
    ]) {
      t.same(await find(scene, handle), nasa, handle)
    }
    t.match(await find(scene, '_Ab_9'), { handle: '_ab_9' })
    const { externalId } = await givenAccount(http, sandbox, 'x', { externalId: '4711', label: 'Our own' })
    t.same(await find(scene, 'user4711'), { externalId, handle: 'user4711', label: 'Our own' })
  })

  await t.test('when there is none of that name, then none is found', async (t) => {
    t.equal(await find(scene, 'nobody_here'), undefined)
    proxy.next('/nasa', answers(problem(404, 'gone', 'resource-not-found'), 404))
    t.equal(await find(scene, 'nasa'), undefined)
    const odd = ['', ' ', '@', 'two words', 'a'.repeat(16), 'nasa!', 'näsa', 'https://x.com/', 'https://x.com']
    const elsewhere = ['https://example.com/nasa', 'https://xx.com/nasa', 'https://x.com.example/nasa', '../me', 'a/b']
    const calls = await callsOf(scene, async () => {
      for (const handle of [...odd, ...elsewhere]) t.equal(await find(scene, handle), undefined, handle)
      t.equal(await look(scene, 'nasa'), undefined)
      t.equal(await look(scene, 'by/username/nasa'), undefined)
    })
    t.same(calls, [], 'what can be none is not asked for')
  })

  await t.test('when a competitor is checked, then its newest posts and their metrics are returned', async (t) => {
    const since = isoTime(clock.now() - 30 * DAY_MS)
    const calls = await callsOf(scene, async () => {
      const facts = await look(scene, nasa.externalId, since)
      t.match(facts, { ...nasa, followers: Number, posts: Number })
      const recent = facts?.recent ?? []
      t.ok(recent.length >= 10 && recent.length <= 120, String(recent.length))
      const times = recent.map(({ createdAt }) => createdAt)
      t.same(times, times.toSorted().toReversed())
      t.ok(times.every((time) => time >= since && time <= isoTime(clock.now())))
      t.equal(new Set(recent.map(({ id }) => id)).size, recent.length)
      for (const { metrics } of recent) t.same(Object.keys(metrics).toSorted(), COUNTED)
    })
    t.same(calls, [nasa.externalId, 'tweets'])
  })

  await t.test('when X has renamed its parameters and fields, then the metrics are the same', async (t) => {
    const since = isoTime(clock.now() - 200 * DAY_MS)
    const told = await look(scene, nasa.externalId, since)
    const again = await look(renamed(scene), nasa.externalId, since)
    t.same(idsOf(again), idsOf(told))
    t.same(again?.recent.at(-1), told?.recent.at(-1))
    t.equal(again?.posts, told?.posts)
  })

  await t.test('when time passes, then no metric shrinks, and new posts appear', async (t) => {
    const before = await look(scene, nasa.externalId)
    clock.pass(4 * DAY_MS)
    const after = await look(scene, nasa.externalId)
    t.ok((after?.followers ?? 0) > (before?.followers ?? NaN))
    t.ok((after?.posts ?? 0) > (before?.posts ?? NaN))
    t.notOk(idsOf(before).includes(after?.recent[0]?.id ?? ''))
    const then = new Map(before?.recent.map(({ id, metrics }) => [id, metrics]))
    const shrunk = after?.recent.filter(({ id, metrics }) =>
      COUNTED.some((name) => (metrics[name] ?? -1) < (then.get(id)?.[name] ?? 0)),
    )
    t.same(shrunk, [])
  })

  await t.test('when a competitor has more than 100 posts, then the newest 100 are returned', async (t) => {
    const facts = await look(scene, nasa.externalId, isoTime(clock.now() - 399 * DAY_MS))
    t.equal(facts?.recent.length, 100)
    const page = (first: number, count: number, more: object = {}) => ({
      data: Array.from({ length: count }, (_, index) => ({
        id: String(first + index),
        text: 'x',
        created_at: isoTime(clock.now()),
        public_metrics: { like_count: index },
      })),
      meta: { next_token: 'more' },
      ...more,
    })
    for (const [first, count] of [
      [1, 60],
      [101, 0],
      [201, 30],
      [301, 60],
    ] as const) {
      proxy.next('/tweets', answers(page(first, count)))
    }
    const calls = await callsOf(scene, async () => {
      const recent = idsOf(await look(scene, nasa.externalId))
      t.equal(recent.length, 100)
      t.same([recent[0], recent[60], recent[90]], ['1', '201', '301'])
    })
    t.same(calls.length, 5, 'and then no more are asked for')
  })

  await t.test('when a post is older by less than a second than asked for, then it is left out', async (t) => {
    const at = Date.parse('2026-03-01T10:00:00.500Z')
    const rows = [-1, 0, 1].map((ms) => ({ id: String(at + ms), created_at: isoTime(at + ms) }))
    proxy.next('/tweets', answers({ data: rows }))
    const facts = await look(scene, nasa.externalId, isoTime(at))
    t.same(
      facts?.recent.map(({ id, metrics }) => [id, metrics]),
      [
        [String(at), {}],
        [String(at + 1), {}],
      ],
    )
  })

  await t.test('when one answers others, then its answers are none of its posts', async (t) => {
    const post = await givenPost(scene)
    await x.conversation?.reply(replyTo(scene, await givenMention(scene)), scene.io)
    const other = await givenAccount(http, sandbox, 'x')
    const theirs = { ...scene, job: { ...scene.job, account: accountOf('x', other) } }
    const io = ioOf(http, other.credentials, { clock })
    const facts = await look({ ...theirs, io }, scene.account.externalId)
    t.same(idsOf(facts), [post])
    t.equal(facts?.posts, 2)
  })

  await t.test('when a competitor shows its posts to followers only, then it is returned without them', async (t) => {
    const errors = [{ title: 'Authorization Error', type: 'https://api.x.com/2/problems/not-authorized-for-resource' }]
    proxy.next('/tweets', answers({ errors }))
    t.match(await look(scene, nasa.externalId), { ...nasa, followers: Number, recent: [] })
  })

  await t.test('when one has gone since it was found, then it is there no more', async (t) => {
    const gone = await mustFind(scene, 'gone_soon')
    t.equal(await look(scene, gone.externalId), undefined)
    t.equal(await look(scene, '9999999999999999999'), undefined)
    proxy.next(`/${nasa.externalId}`, answers({ errors: [{ ...NOT_FOUND, detail: 'User has been suspended' }] }))
    t.equal(await look(scene, nasa.externalId), undefined)
    proxy.next(`/${nasa.externalId}`, answers(problem(404, 'gone', 'resource-not-found'), 404))
    t.equal(await look(scene, nasa.externalId), undefined)
    proxy.next(`/${nasa.externalId}`, answers({ errors: [{ title: 'Something else', type: 'about:blank' }] }))
    t.match(await refusal(look(scene, nasa.externalId)), { kind: 'retryable' }, 'any other error is no such word')
  })

  await t.test('when X returns few fields of a competitor, then the others are absent', async (t) => {
    for (const [more, facts] of [
      [{}, {}],
      [{ name: '' }, {}],
      [{ public_metrics: null }, {}],
      [{ public_metrics: { followers_count: '7', tweet_count: 3 } }, { posts: 3 }],
      [{ public_metrics: { followers_count: 0, post_count: 3, tweet_count: 9 } }, { followers: 0, posts: 3 }],
    ] as const) {
      proxy.next('/users/4711', answers({ data: { id: '4711', username: 'few', ...more } }))
      proxy.next('/4711/tweets', answers({ meta: { result_count: 0 } }))
      const expected = { externalId: '4711', handle: 'few', label: 'few', ...facts, recent: [] }
      t.same(await look(scene, '4711'), expected, JSON.stringify(more))
    }
  })

  await t.test('when any is found, then it is the one that its id leads to', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789_'].map((letter) => fc.constant(letter))
    const name = fc
      .string({ unit: fc.oneof(...letters), minLength: 1, maxLength: 12 })
      .filter((name) => !/^(nobody|gone|user\d)/.test(name))
    await fc.assert(
      fc.asyncProperty(name, async (name) => {
        const found = await find(scene, name)
        const facts = found && (await look(scene, found.externalId))
        return found?.handle === name && facts?.handle === name
      }),
      { numRuns: 40 },
    )
  })
})

t.test('given a wrong request, then the stand-in refuses it as X does', async (t) => {
  const scene = await givenX(t)
  const { account, http } = scene
  const { accessToken = '' } = account.credentials
  const call = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${accessToken}` }) => {
    const answer = await http.request(`${account.baseUrl}${path}`, { headers })
    return `${answer.status} ${answer.text()}`
  }
  const post = await givenPost(scene)
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',')
  for (const [path, expected] of [
    ['/2/tweets', /^400 .*"ids"/],
    ['/2/tweets?ids=', /^400 .*"ids"/],
    ['/2/tweets?ids=1,none', /^400 .*"ids"/],
    ['/2/tweets?ids=12345678901234567890', /^400 .*"ids"/],
    [`/2/tweets?ids=${ids(101)}`, /^400 .*"ids".*at most 100/],
    [`/2/tweets?ids=${ids(100)}`, /^200 {"errors":\[{"value":"1",.*resource-not-found"}\]}$/],
    ['/2/tweets?ids=1&post.fields=public_metrics', /^400 .*post\.fields/],
    ['/2/tweets?ids=1&tweet.fields=private_metrics', /^400 .*tweet\.fields/],
    ['/sandbox=new-names/2/tweets?ids=1&tweet.fields=public_metrics', /^400 .*tweet\.fields/],
    [`/2/tweets?ids=${post}&tweet.fields=public_metrics`, /^200 .*"retweet_count":\d/],
    [`/sandbox=new-names/2/tweets?ids=${post}&post.fields=public_metrics`, /^200 .*"repost_count":\d/],
    ['/2/users/me?user.fields=public_metrics', /^200 .*"tweet_count":1/],
    ['/sandbox=new-names/2/users/me?user.fields=public_metrics', /^200 .*"post_count":1/],
    ['/2/users/me?user.fields=toString', /^400 .*user\.fields/],
    ['/2/users/me?tweet.fields=created_at', /^200 {"data":{"id":"\d+","name"/],
    ['/2/users/me?tweet.fields=private_metrics', /^400 .*tweet\.fields/],
    [`/2/tweets/${post}?tweet.fields=created_at`, /^200 {"data":{"id":"\d+","text"/],
    ['/2/tweets/1', /^200 {"errors":.*resource-not-found/],
    ['/2/tweets/search/recent?query=x', /^404 .*"The sandbox does not have GET \/2\/tweets\/search\/recent\."/],
    ['/2/users/me', /^200 {"data":{"id":"\d+","name":"someone","username":"user\d+"}}$/],
    ['/2/users/me?user.fields=subscription_type', /^200 .*"subscription_type":"None"/],
    ['/2/users/by/username/much_too_long_name', /^400 .*username/],
    ['/2/users/by/username/a-b', /^400 .*username/],
    ['/2/users/by/username/nobody', /^200 {"errors":\[{"value":"nobody",.*resource-not-found"}\]}$/],
    ['/2/users/none', /^400 .*"id"/],
    ['/2/users/0', /^200 {"errors":.*resource-not-found/],
    ['/2/users/none/tweets', /^400 .*"id"/],
    ['/2/users/9999999999999999999/tweets', /^200 {"errors":.*resource-not-found/],
    [`/2/users/${account.externalId}/tweets?exclude=likes`, /^400 .*exclude/],
  ] as const) {
    t.match(await call(path), expected, path)
  }
  for (const path of [
    '/2/tweets?ids=1',
    '/2/users/me',
    '/2/users/by/username/nasa',
    '/2/users/1',
    '/2/users/1/tweets',
  ]) {
    t.match(await call(path, {}), /^401 /, path)
  }
})

function idsOf(facts: Awaited<ReturnType<typeof look>>): readonly string[] {
  return (facts?.recent ?? []).map(({ id }) => id)
}
