import { jsonToLex, lexicons } from '@atproto/api'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import * as z from 'zod'
import type { PostMetrics } from '../domain/analytics/metrics.ts'
import { competitors } from '../platforms/bluesky/analytics-competitors.ts'
import { analytics } from '../platforms/bluesky/analytics.ts'
import { bluesky } from '../platforms/bluesky/index.ts'
import { COLLECTION } from '../platforms/bluesky/record.ts'
import { PlatformError, type PlatformErrorKind } from '../platforms/kit/platform.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { startAppView } from './support/bluesky-app-view.ts'
import {
  connected,
  jobOf,
  mediaHost,
  platformError,
  referenceServer,
  sandboxServer,
  writePost,
} from './support/bluesky.ts'
import { prepare, publish } from './support/connector.ts'
import { interceptingProxy, type Interception } from './support/intercepting-proxy.ts'
import { movableClock } from './support/movable-clock.ts'
import { startPds } from './support/pds.ts'
import { givenHttp, givenSandbox, postJson } from './support/sandbox.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const COUNTED = ['bookmarks', 'likes', 'quotes', 'replies', 'reposts'] as const
const POSTS = 'app.bsky.feed.getPosts'
const PROFILES = 'app.bsky.actor.getProfiles'
const FEED = 'app.bsky.feed.getAuthorFeed'
const REFRESH = 'com.atproto.server.refreshSession'
const STRANGER = 'did:web:alice.example'
const CID = 'bafyreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
const { postsPerCall } = analytics

const http = givenHttp(t)

/** An account of a sandbox whose time can pass, through a proxy that tells its calls. */
async function scene(t: Test) {
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { clock })
  const server = sandboxServer(sandbox, http)
  const owner = await server.createAccount()
  const proxy = await interceptingProxy(t, server.url)
  const author = await connected(http, owner, proxy.url)
  const io = { ...author.io, clock }
  const pass = (ms: number) => clock.advanceTo(clock.now() + ms)
  return { sandbox, server, owner, proxy, ...author, author: { ...author, io }, io, clock, pass }
}
type Scene = Awaited<ReturnType<typeof scene>>

const metrics = ({ account, io }: Pick<Scene, 'account' | 'io'>, ids: readonly string[]) =>
  analytics.metrics(account, ids, io)
const channel = ({ account, io }: Pick<Scene, 'account' | 'io'>) => analytics.channel(account, io)
const find = ({ account, io }: Pick<Scene, 'account' | 'io'>, handle: string) => competitors.find(account, handle, io)
const look = ({ account, io, clock }: Scene, id: string, since = isoTime(clock.now() - 30 * DAY_MS)) =>
  competitors.look(account, id, since, io)
const written = async ({ author }: Scene, text = 'Hello') => (await writePost(http, author, { text })).uri
const idsOf = (facts: Awaited<ReturnType<typeof look>>): readonly string[] => (facts?.recent ?? []).map(({ id }) => id)
const callsOf = async ({ proxy }: Scene, work: () => Promise<unknown>): Promise<readonly string[]> => {
  const before = proxy.calls.length
  await work()
  return proxy.calls.slice(before)
}

const says = (body: unknown): Interception => ({ kind: 'answer', status: 200, body: JSON.stringify(body) })
const refuses = (status: number, error: string, headers = {}): Interception => {
  return { kind: 'answer', status, headers, body: JSON.stringify({ error, message: 'as the server says it' }) }
}
const uriOf = (index: number | string, did = STRANGER) => `at://${did}/${COLLECTION}/3kabcabc${index}`
const alice = { did: STRANGER, handle: 'alice.example' }

t.test('the platform returns the metrics of posts', async (t) => {
  t.equal(bluesky.analytics, analytics)
  t.equal(analytics.competitors, competitors)
})

t.test('given published posts', async (t) => {
  const given = await scene(t)
  const { account, io, sandbox, owner, pass } = given
  const media = await mediaHost(t)
  const job = jobOf(account, { mediaUrl: `${media.url}/sample.jpg` })
  const { postId: first } = await publish(bluesky, job, await prepare(bluesky, job, io), io)
  const second = await written(given)

  await t.test('when metrics are requested, then every metric of each post is returned in one call', async (t) => {
    const calls = await callsOf(given, async () => {
      const told = await metrics(given, [first, second])
      t.same([...told.keys()].toSorted(), [first, second].toSorted())
      for (const counts of told.values()) t.same(Object.keys(counts).toSorted(), COUNTED)
    })
    t.same(calls, [POSTS])
  })

  await t.test('when somebody answers one, then it has a reply more', async (t) => {
    const before = (await metrics(given, [second])).get(second)?.replies ?? NaN
    const comment = { platform: 'bluesky', accountId: owner.did, postId: second, text: 'Nice', author: 'Ann' }
    await postJson(http, `${sandbox.url}/_control/comments`, comment)
    t.ok(((await metrics(given, [second])).get(second)?.replies ?? 0) > before)
  })

  await t.test(
    'when one is unknown, deleted or not an ID at all, then it is absent and the others are returned',
    async (t) => {
      const gone = await written(given)
      sandbox.ledger.removePost('bluesky', gone)
      const odd = ['', 'none', '4711', owner.did, `at://${owner.did}`, `at://${owner.did}/app.bsky.feed.like/3kabc`]
      const unlike = [`${first}/more`, ` ${first}`, `${first}\n`, `at://x y/${COLLECTION}/3k`, 'https://example.com/1']
      t.same([...(await metrics(given, [...odd, ...unlike, gone, uriOf(1), first])).keys()], [first])
      t.same(await metrics(given, [gone]), new Map())
      t.same(await callsOf(given, () => metrics(given, [...odd, ...unlike])), [], 'what is no post is not asked for')
    },
  )

  await t.test(
    'when as many are asked for as a call takes, then it is one call, and one more is refused',
    async (t) => {
      const many = Array.from({ length: postsPerCall - 1 }, (_, index) => uriOf(index))
      t.same(await callsOf(given, () => metrics(given, [])), [])
      t.same([...(await metrics(given, [first])).keys()], [first])
      const calls = await callsOf(given, async () => {
        t.same([...(await metrics(given, [...many, first])).keys()], [first])
      })
      t.same(calls, [POSTS])
      t.match(await platformError(metrics(given, [...many, first, second])), {
        kind: 'permanent',
        message: /at most 25/,
      })
    },
  )

  await t.test('when time passes, then numbers grow and never shrink', async (t) => {
    const start = await metrics(given, [first, second])
    const followers = (await channel(given)).followers ?? NaN
    let before: ReadonlyMap<string, PostMetrics> = start
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40 * HOUR_MS }), async (ms) => {
        await pass(ms)
        const now = await metrics(given, [first, second])
        const isGrowth = [...now].every(([id, counts]) =>
          COUNTED.every((name) => (counts[name] ?? -1) >= (before.get(id)?.[name] ?? NaN)),
        )
        before = now
        return now.size === 2 && isGrowth
      }),
      { numRuns: 15, endOnFailure: true },
    )
    await pass(20 * DAY_MS)
    const end = await metrics(given, [first])
    for (const name of ['likes', 'reposts'] as const) {
      t.ok((end.get(first)?.[name] ?? 0) > (start.get(first)?.[name] ?? NaN), name)
    }
    t.ok(((await channel(given)).followers ?? 0) > followers)
  })

  await t.test('when the account is asked for, then its followers and all its posts are counted', async (t) => {
    const before = await channel(given)
    t.match(before, { posts: sandbox.ledger.posts('bluesky', { accountId: owner.did }).length, followers: Number })
    t.same(Object.keys(before).toSorted(), ['followers', 'posts'])
    const parent = { uri: second, cid: CID }
    await writePost(http, given.author, { text: 'And this', reply: { root: parent, parent } })
    await written(given)
    t.equal((await channel(given)).posts, (before.posts ?? NaN) + 2)
    given.proxy.next(PROFILES, says({ profiles: [] }))
    t.same(await channel(given), {}, 'which the app may not know yet')
  })
})

t.test('given answers in odd shapes', async (t) => {
  const given = await scene(t)
  const { proxy } = given
  const told = async (posts: readonly unknown[]) => {
    proxy.next(POSTS, says({ posts }))
    return Object.fromEntries(await metrics(given, [uriOf(1)]))
  }

  await t.test('when numbers are missing or none, then they are absent and never zero', async (t) => {
    const [uri, counts] = [uriOf(1), { repostCount: 2, replyCount: 3, quoteCount: 4, bookmarkCount: 5 }]
    const rest = { reposts: 2, replies: 3, quotes: 4, bookmarks: 5 }
    t.same(await told([{ uri, likeCount: 1, ...counts }]), { [uri]: { likes: 1, ...rest } })
    t.same(await told([{ uri, likeCount: 0 }]), { [uri]: { likes: 0 } })
    t.same(await told([{ uri }]), { [uri]: {} })
    for (const odd of ['7', -1, 1.5, null, {}, [], true, 1e300]) {
      t.same(await told([{ uri, likeCount: odd, ...counts }]), { [uri]: rest }, JSON.stringify(odd))
    }
    t.same(await told([null, 7, [], {}, { uri: 7 }, { uri: '' }, { uri, likeCount: 1 }]), { [uri]: { likes: 1 } })
  })

  await t.test('when a response has any shape, then it is read as numbers or reported as unreadable', async () => {
    const post = fc.record({ uri: fc.constantFrom(uriOf(1), '', 1), likeCount: fc.jsonValue() })
    const profile = fc.record({ did: fc.constantFrom(STRANGER, 'x'), handle: fc.jsonValue() })
    const list = <T>(item: fc.Arbitrary<T>) => fc.oneof(fc.jsonValue(), fc.array(item))
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ posts: list(post) }),
      fc.record({ profiles: list(profile) }),
      // One that is text leads on, to what the sandbox has.
      fc.record({
        feed: list(fc.record({ post })),
        cursor: fc.jsonValue().filter((cursor) => typeof cursor !== 'string'),
      }),
    )
    const works = {
      metrics: { nsid: POSTS, ask: () => metrics(given, [uriOf(1)]) },
      channel: { nsid: PROFILES, ask: () => channel(given) },
      find: { nsid: PROFILES, ask: () => find(given, 'alice.example') },
      look: { nsid: FEED, ask: () => look(given, STRANGER) },
    }
    const isTold = (error: unknown) => error instanceof PlatformError && error.kind === 'retryable'
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(...Object.values(works)), async (body, { nsid, ask }) => {
        proxy.next(nsid, says(body))
        return ask().then(() => true, isTold)
      }),
      { numRuns: 60, endOnFailure: true },
    )
  })

  await t.test('when it is large, then it is read, and beyond all measure not', async (t) => {
    const record = { text: 'x'.repeat(1_500_000) }
    t.same(await told([{ uri: uriOf(1), record, likeCount: 1 }]), { [uriOf(1)]: { likes: 1 } })
    proxy.next(POSTS, says({ posts: [{ uri: uriOf(1), text: 'x'.repeat(9_000_000) }] }))
    t.match(await platformError(metrics(given, [uriOf(1)])), { kind: 'retryable' })
  })
})

/** An answer, and what it means. */
const ANSWERS: readonly (readonly [Interception, PlatformErrorKind])[] = [
  [refuses(401, 'AuthenticationRequired'), 'needs-reauth'],
  [refuses(401, 'BadJwtSignature'), 'retryable'],
  [refuses(401, 'AccountTakedown'), 'permanent'],
  [refuses(401, 'AccountDeactivated'), 'permanent'],
  [refuses(403, 'AccountNotFound'), 'permanent'],
  [refuses(400, 'InvalidRequest'), 'permanent'],
  [refuses(429, 'RateLimitExceeded'), 'retryable'],
  [refuses(408, 'RequestTimeout'), 'retryable'],
  [refuses(500, 'InternalServerError'), 'retryable'],
  [refuses(502, 'UpstreamFailure'), 'retryable'],
  [refuses(503, 'NotEnoughResources'), 'retryable'],
  [{ kind: 'answer', status: 502, body: '<html>Bad gateway</html>' }, 'retryable'],
  [{ kind: 'answer', status: 200, body: '{"ok":' }, 'retryable'],
  [{ kind: 'answer', status: 200, body: '{"ok":true}' }, 'retryable'],
  [{ kind: 'answer', status: 200, body: '' }, 'retryable'],
  [{ kind: 'lose-answer' }, 'retryable'],
  [{ kind: 'cut' }, 'retryable'],
]

t.test('given what the server refuses', async (t) => {
  const given = await scene(t)
  const { proxy, sandbox, owner, clock } = given
  const post = await written(given)
  const works = [
    { what: 'metrics', nsid: POSTS, ask: () => metrics(given, [post]) },
    { what: 'channel', nsid: PROFILES, ask: () => channel(given) },
    { what: 'find', nsid: PROFILES, ask: () => find(given, 'alice.example') },
    { what: 'look', nsid: PROFILES, ask: () => look(given, STRANGER) },
    { what: 'look at posts', nsid: FEED, ask: () => look(given, STRANGER) },
  ]

  await t.test('when the platform responds with an error, then its kind is recognized', async (t) => {
    for (const { what, nsid, ask } of works) {
      for (const [interception, kind] of ANSWERS) {
        const shown = interception.kind === 'answer' ? `${interception.status} ${interception.body}` : interception.kind
        proxy.next(nsid, interception)
        t.equal((await platformError(ask())).kind, kind, `${what}: ${shown}`)
      }
      const reset = String(Math.ceil(clock.now() / 1_000) + 90)
      proxy.next(nsid, refuses(429, 'RateLimitExceeded', { 'ratelimit-reset': reset }))
      const { accountRests, retryAfterMs = 0 } = await platformError(ask())
      t.same([accountRests, retryAfterMs > 80_000 && retryAfterMs <= 91_000], [true, true])
      const calls = await callsOf(given, async () => {
        proxy.next(nsid, refuses(400, 'ExpiredToken'))
        t.ok(await ask(), `${what}: after a session that has run out`)
      })
      t.equal(calls.filter((call) => call === REFRESH).length, 1)
      for (const _ of [1, 2, 3, 4]) proxy.next(nsid, refuses(400, 'ExpiredToken'))
      t.equal((await platformError(ask())).kind, 'needs-reauth')
    }
  })

  await t.test('when the sandbox is scripted to fail, then it fails as the real server would', async (t) => {
    const fault = { platform: 'bluesky', call: 'metrics', accountId: owner.did, accepted: false } as const
    const usual = { ...fault, times: 1, delayMs: 5, retryAfterSeconds: 30 }
    for (const { what, ask } of works) {
      for (const [script, expected] of [
        [{ kind: 'reject' }, 'permanent'],
        [{ kind: 'rate_limit' }, 'retryable'],
        [{ kind: 'server_error' }, 'retryable'],
        [{ kind: 'accept_then_timeout' }, 'retryable'],
        [{ kind: 'token_expired' }, 'told'],
        [{ kind: 'slow' }, 'told'],
        [{ kind: 'token_expired', times: 4 }, 'needs-reauth'],
      ] as const) {
        sandbox.faults.script({ ...usual, ...script })
        const outcome = expected === 'told' ? ((await ask()) ? 'told' : 'nothing') : (await platformError(ask())).kind
        t.equal(outcome, expected, `${what}: ${JSON.stringify(script)}`)
      }
    }
    t.same(sandbox.faults.pending(), [])
  })

  await t.test('when the app password is revoked, or time runs out, then the error says so', async (t) => {
    const late = { ...given, io: { ...given.io, signal: AbortSignal.abort() } }
    t.match(await platformError(metrics(late, [post])), { kind: 'retryable' })
    await given.owner.revokeAppPassword()
    for (const { what, ask } of works) t.equal((await platformError(ask())).kind, 'needs-reauth', what)
  })
})

t.test('given other accounts', async (t) => {
  const given = await scene(t)
  const { clock, pass, proxy, owner } = given

  await t.test('when one is looked for by whatever people know it by, then it is found', async (t) => {
    const found = { externalId: STRANGER, handle: 'alice.example', label: 'Stranger alice.example' }
    for (const handle of [
      ...['alice.example', '@alice.example', ' @Alice.Example ', '\u202a@alice.example\u202c', STRANGER],
      ...['https://bsky.app/profile/alice.example', 'bsky.app/profile/alice.example/', `bsky.app/profile/${STRANGER}`],
      ...['HTTPS://BSKY.APP/profile/alice.example/post/3k?x=1', 'http://www.bsky.app/profile/@alice.example#top'],
    ]) {
      t.same(await find(given, handle), found, handle)
    }
    t.match(await find(given, owner.handle), { externalId: owner.did, handle: owner.handle }, 'the account itself')
  })

  await t.test('when there is none of that name, then none is found', async (t) => {
    t.equal(await find(given, 'nobody.example'), undefined)
    t.equal(await find(given, 'aaaaaaaaaaaaaaaaaaaaaaaa.test'), undefined)
    const odd = ['', '@', 'alice', 'two words.example', 'älice.example', '-a.example', 'a..example', 'a.1', 'did:plc:']
    const long = `${'a'.repeat(63)}.`.repeat(4)
    const elsewhere = ['https://example.com/alice.example', 'bsky.app/alice.example', 'bsky.app/profile/', 'a.b/c.d']
    const calls = await callsOf(given, async () => {
      for (const handle of [...odd, `${long}example`, ...elsewhere]) {
        t.equal(await find(given, handle), undefined, handle)
      }
      t.equal(await look(given, 'alice.example'), undefined)
    })
    t.same(calls, [], 'what can be none is not asked for')
  })

  await t.test('when a competitor is checked, then its newest posts and their metrics are returned', async (t) => {
    const since = isoTime(clock.now() - 30 * DAY_MS)
    const calls = await callsOf(given, async () => {
      const facts = await look(given, STRANGER, since)
      t.match(facts, { externalId: STRANGER, handle: 'alice.example', followers: Number, posts: Number })
      const recent = facts?.recent ?? []
      t.ok(recent.length >= 10 && recent.length <= 100, String(recent.length))
      const times = recent.map(({ createdAt }) => createdAt)
      t.same(times, times.toSorted().toReversed())
      t.ok(times.every((time) => time >= since && time <= isoTime(clock.now())))
      t.equal(new Set(recent.map(({ id }) => id)).size, recent.length)
      for (const { metrics } of recent) t.same(Object.keys(metrics).toSorted(), COUNTED)
    })
    t.same(calls, [PROFILES, FEED])
  })

  await t.test('when time passes, then no metric shrinks, and new posts appear', async (t) => {
    const before = await look(given, STRANGER)
    await pass(4 * DAY_MS)
    const after = await look(given, STRANGER)
    t.ok((after?.followers ?? 0) > (before?.followers ?? NaN))
    t.ok((after?.posts ?? 0) > (before?.posts ?? NaN))
    t.notOk(idsOf(before).includes(after?.recent[0]?.id ?? ''))
    const then = new Map(before?.recent.map(({ id, metrics }) => [id, metrics]))
    const shrunk = after?.recent.filter(({ id, metrics }) =>
      COUNTED.some((name) => (metrics[name] ?? -1) < (then.get(id)?.[name] ?? 0)),
    )
    t.same(shrunk, [])
  })

  await t.test('when one has written in threads too, then its replies are none of its posts', async (t) => {
    const post = await written(given)
    const parent = { uri: post, cid: CID }
    await writePost(http, given.author, { text: 'And this', reply: { root: parent, parent } })
    const facts = await look(given, owner.did)
    t.same(idsOf(facts), [post])
    t.equal(facts?.posts, 2)
  })

  await t.test('when one has gone since it was found, then it is there no more', async (t) => {
    const gone = await find(given, 'gone.example')
    t.match(gone, { handle: 'gone.example' })
    t.equal(await look(given, gone?.externalId ?? ''), undefined)
    proxy.next(PROFILES, says({ profiles: [] }))
    t.equal(await look(given, STRANGER), undefined)
  })

  await t.test('when the platform returns few fields of a competitor, then the others are absent', async (t) => {
    for (const [more, label, facts] of [
      [{}, 'alice.example', {}],
      [{ displayName: ' ', followersCount: '7', postsCount: 3 }, 'alice.example', { posts: 3 }],
      [{ displayName: 'Alice', followersCount: 0 }, 'Alice', { followers: 0 }],
    ] as const) {
      proxy.next(PROFILES, says({ profiles: [{ ...alice, ...more }] }))
      proxy.next(FEED, says({ feed: [] }))
      const expected = { externalId: STRANGER, handle: 'alice.example', label, ...facts, recent: [] }
      t.same(await look(given, STRANGER), expected, JSON.stringify(more))
    }
  })

  await t.test('when a competitor has blocked the account, then the error says so', async (t) => {
    proxy.next(FEED, refuses(400, 'BlockedByActor'))
    t.match(await platformError(look(given, STRANGER)), { kind: 'permanent', message: /as the server says it/ })
  })
})

t.test('given a feed', async (t) => {
  const given = await scene(t)
  const { proxy, clock } = given
  const now = clock.now()
  const ago = (days: number) => isoTime(now - days * DAY_MS)
  const since = ago(10)
  const entry = (index: number | string, more: object = {}, createdAt = ago(1)) => ({
    post: { uri: uriOf(index), author: alice, indexedAt: createdAt, record: { createdAt }, likeCount: 1, ...more },
  })
  const page = (feed: readonly unknown[], cursor?: string) => proxy.next(FEED, says({ feed, cursor }))
  const recent = async () => (await look(given, STRANGER, since))?.recent ?? []

  await t.test('when others stand in it, and odd things, then only what the account wrote is taken', async (t) => {
    const bob = { did: 'did:web:bob.example', handle: 'bob.example' }
    const reason = { $type: 'app.bsky.feed.defs#reasonRepost', by: alice, indexedAt: ago(1) }
    const pin = { $type: 'app.bsky.feed.defs#reasonPin' }
    const odd = [
      null,
      7,
      {},
      { post: {} },
      entry(5, { uri: 7 }),
      entry(6, { indexedAt: 'today' }),
      entry(7, { author: 7 }),
    ]
    page([entry(1), entry(2, { author: bob }), { ...entry(3), reason }, { ...entry(4), reason: pin }, ...odd])
    t.same(await recent(), [{ id: uriOf(1), createdAt: ago(1), metrics: { likes: 1 } }])
  })

  await t.test('when a time is odd, then the earlier one counts', async (t) => {
    page([
      entry('exact', { indexedAt: since, record: { createdAt: since } }),
      entry('older', { indexedAt: isoTime(Date.parse(since) - 1) }),
      entry('backdated', { record: { createdAt: ago(400) } }),
      entry('ahead', { record: { createdAt: ago(-400) } }),
      entry('zoned', { record: { createdAt: ago(2).replace('Z', '+00:00') } }),
      entry('timeless', { record: { createdAt: 'yesterday' } }),
      entry('bare', { record: undefined }),
    ])
    t.same(
      (await recent()).map(({ id, createdAt }) => [id, createdAt]),
      [
        [uriOf('exact'), since],
        [uriOf('ahead'), ago(1)],
        [uriOf('zoned'), ago(2)],
        [uriOf('timeless'), ago(1)],
        [uriOf('bare'), ago(1)],
      ],
    )
  })

  await t.test('when it has more pages, then they are read until one is old, or there are enough', async (t) => {
    const many = (first: number, count: number) => Array.from({ length: count }, (_, index) => entry(first + index))
    const reposts = many(900, 3).map((one) => ({ ...one, reason: {} }))
    for (const [what, pages, posts, calls] of [
      ['the last', [many(100, 3), []], 3, 2],
      ['an old one', [many(100, 3), [entry(1, {}, ago(11))], many(200, 3)], 3, 2],
      ['enough', [many(100, 60), many(200, 60), many(300, 60)], 100, 2],
      ['of others', [reposts, many(100, 3), []], 3, 3],
      ['of others for ever', Array.from({ length: 7 }, () => reposts), 0, 5],
    ] as const) {
      // What is not asked for must not be answered to the next.
      for (const [index, feed] of pages.slice(0, calls).entries()) {
        page(feed, index === pages.length - 1 ? undefined : `page ${index}`)
      }
      const asked = await callsOf(given, async () => t.equal((await recent()).length, posts, what))
      t.same(asked, [PROFILES, ...Array.from({ length: calls }, () => FEED)], what)
    }
    for (const _ of [1, 2]) page(many(100, 1), 'again')
    const asked = await callsOf(given, recent)
    t.equal(asked.length, 3, 'a cursor that comes again leads nowhere')
  })

  await t.test('when there are more than 100 posts, then the newest 100 are returned, each once', async (t) => {
    const calls = await callsOf(given, async () => {
      const newest = (await look(given, STRANGER, ago(399)))?.recent ?? []
      t.equal(new Set(newest.map(({ id }) => id)).size, 100)
      t.ok(newest.every(({ createdAt }) => createdAt > ago(300)))
    })
    t.same(calls, [PROFILES, FEED])
  })
})

t.test('given the stand-in', async (t) => {
  const given = await scene(t)
  const { server, sandbox, credentials, owner } = given
  const { accessJwt } = await credentials.read()
  const post = await written(given)
  const ask = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${accessJwt}` }) => {
    const response = await http.request(`${server.url}/xrpc/${path}`, { headers })
    return { status: response.status, body: response.json() }
  }
  const uris = (count: number) => Array.from({ length: count }, (_, index) => `uris=${uriOf(index)}`).join('&')
  const actors = (count: number) => Array.from({ length: count }, (_, index) => `actors=a${index}.example`).join('&')

  await t.test('when it answers, then in the form that the lexicons prescribe', async (t) => {
    for (const [nsid, query] of [
      [POSTS, `uris=${post}&uris=${uriOf(1)}`],
      [PROFILES, `actors=${owner.did}&actors=alice.example&actors=nobody.example`],
      [PROFILES, 'actors=alice.example'],
      [FEED, `actor=${owner.did}&filter=posts_no_replies`],
      [FEED, 'actor=alice.example&filter=posts_no_replies&limit=3'],
    ] as const) {
      const { status, body } = await ask(`${nsid}?${query}`)
      t.equal(status, 200, query)
      const lex = jsonToLex(body as Record<string, unknown>)
      t.doesNotThrow(() => lexicons.assertValidXrpcOutput(nsid, lex), query)
    }
  })

  await t.test(
    'when a feed is read page by page, then each post comes once, whatever is posted meanwhile',
    async (t) => {
      const pageSchema = z.object({
        feed: z.array(z.object({ post: z.object({ uri: z.string() }) })),
        cursor: z.string().optional(),
      })
      for (let count = 0; count < 4; count += 1) await written(given)
      const read = async (more = ''): Promise<readonly string[]> => {
        const { body } = await ask(`${FEED}?actor=${owner.did}&filter=posts_no_replies&limit=2${more}`)
        const { feed, cursor } = pageSchema.parse(body)
        await written(given)
        return [...feed.map(({ post }) => post.uri), ...(cursor === undefined ? [] : await read(`&cursor=${cursor}`))]
      }
      const before = sandbox.ledger.posts('bluesky', { accountId: owner.did }).map(({ id }) => id)
      t.same((await read()).toSorted(), before.toSorted())
    },
  )

  await t.test('when a request is wrong, then it is refused', async (t) => {
    t.match(await ask(`${POSTS}?${uris(25)}`), { status: 200, body: { posts: [] } })
    for (const wrong of [
      ...[POSTS, `${POSTS}?${uris(26)}`, `${POSTS}?uris=none`, `${POSTS}?uris=${post}&uris=none`],
      ...[PROFILES, `${PROFILES}?${actors(26)}`, `${PROFILES}?actors=two%20words`],
      ...[FEED, `${FEED}?actor=alice.example&filter=posts_of_others`, `${FEED}?actor=alice&filter=posts_no_replies`],
      `${FEED}?actor=nobody.example&filter=posts_no_replies`,
      `${FEED}?actor=alice.example&filter=posts_no_replies&limit=101`,
      `${FEED}?actor=alice.example&filter=posts_no_replies&cursor=nonsense`,
    ]) {
      t.match(await ask(wrong), { status: 400, body: { error: 'InvalidRequest' } }, wrong.slice(0, 80))
    }
    for (const nsid of [POSTS, PROFILES, FEED]) {
      t.match(await ask(nsid, {}), { status: 401, body: { error: 'AuthMissing' } }, nsid)
    }
  })
})

t.test('given the reference server, when it passes calls on to the app, then the app gets what it takes', async (t) => {
  const appView = await startAppView(t)
  const pds = await startPds({ appView })
  t.teardown(() => pds.close())
  const { account, io } = await connected(http, await referenceServer(pds).createAccount(), pds.url)
  const view = (uri: string, did: string) => {
    const createdAt = isoTime(Date.now())
    const record = { $type: COLLECTION, text: 'Hello', createdAt }
    return { uri, cid: CID, author: { ...alice, did }, record, indexedAt: createdAt, likeCount: 7, bookmarkCount: 1 }
  }
  const asked: string[][] = []
  const answer = (nsid: string, names: readonly string[], body: (values: readonly string[]) => object) =>
    appView.answer(nsid, (query) => {
      const values = names.flatMap((name) => query.getAll(name))
      asked.push(values)
      return body(values)
    })
  answer(POSTS, ['uris'], (uris) => ({ posts: uris.map((uri) => view(uri, account.externalId)) }))
  answer(PROFILES, ['actors'], (actors) => ({
    profiles: actors.map((did) => ({ ...alice, did, followersCount: 12, postsCount: 3 })),
  }))
  answer(FEED, ['actor', 'filter', 'limit'], () => ({ feed: [{ post: view(uriOf('abcde'), STRANGER) }] }))

  const own = ['2', '3', '4'].map((key) => uriOf(key, account.externalId))
  const told = await analytics.metrics(account, own, io)
  t.same(told, new Map(own.map((uri) => [uri, { likes: 7, bookmarks: 1 }])))
  t.same(await analytics.channel(account, io), { followers: 12, posts: 3 })
  const facts = await competitors.look(account, STRANGER, '2020-01-01T00:00:00.000Z', io)
  t.match(facts, { externalId: STRANGER, followers: 12, recent: [{ id: uriOf('abcde'), metrics: { likes: 7 } }] })
  t.same(asked, [own, [account.externalId], [STRANGER], [STRANGER, 'posts_no_replies', '100']])
})
