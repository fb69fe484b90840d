import t, { type Test } from 'tap'
import * as z from 'zod'
import { sumOf } from '../domain/analytics/figures.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { hasAnalytics } from '../domain/analytics/metrics.ts'
import { liveNumbers } from '../reactors/analytics/live-numbers.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { counting, DAY, HOUR, looks, published, type OutPost } from './support/analytics.ts'
import { givenApi } from './support/api.ts'
import { pass } from './support/comments.ts'
import { ids } from './support/sandbox.ts'
import { accessOf, givenProcess, type World } from './support/world.ts'

const numbers = z.record(z.string(), z.number())
const liveSchema = z.object({
  platform: z.string(),
  postId: z.string(),
  metrics: numbers,
  accounts: z.array(
    z.object({
      accountId: z.string(),
      postId: z.string(),
      metrics: numbers.optional(),
      capturedAt: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
})
const figure = z.number().optional()
const totals = z.object({ posts: z.number(), views: figure, interactions: figure, engagementRate: figure })
const ranked = z.object({
  id: z.string(),
  accountId: z.string(),
  postId: z.string(),
  views: figure,
  likes: figure,
  comments: figure,
  metrics: numbers,
  capturedAt: z.string(),
})
const summarySchema = z.object({ totals, topPosts: z.array(ranked) })
const keyed = { posts: z.number(), medianViews: figure, medianInteractions: figure }
const accountSchema = z.object({
  totals,
  followers: z.number().optional(),
  formats: z.array(z.object({ format: z.string(), ...keyed })),
  hashtags: z.array(z.object({ hashtag: z.string(), ...keyed })),
})
const topSchema = z.object({ posts: z.array(ranked), nextCursor: z.string().nullable() })

async function given(t: Test) {
  const api = await givenApi(t)
  const key = await api.key()
  const service = await givenProcess(api.world, { metrics: true })
  const get = (path: string, as = key) => api.call({ path: `/v1${path}`, key: as })
  return {
    ...{ api, world: api.world, key, service, get },
    live: async (id: string, platform: PlatformKey) =>
      liveSchema.parse((await get(`/posts/${id}/analytics?platform=${platform}`)).body),
    post: async (platform: PlatformKey, accountIds: readonly string[], hashtags?: readonly string[]) => {
      const [out] = await published(api.world, service, { [platform]: accountIds }, hashtags)
      if (!out) throw new Error('no post is out')
      return out
    },
  }
}

const fault = (world: World, platform: PlatformKey, times = 1_000) => {
  const script: FaultScript = {
    ...{ platform, call: 'metrics', kind: 'server_error', times },
    ...{ delayMs: 0, retryAfterSeconds: 1, accepted: false },
  }
  world.sandbox.faults.script(script)
}

t.test('given posts that are out, when their numbers are asked for', async (t) => {
  const { world, service, api, get, live, post } = await given(t)
  const [one, other] = [await world.account('x'), await world.account('x')]
  const out = await post('x', [one, other])
  await world.clock.advanceTo(world.clock.now() + DAY)

  await t.test('then each account has its own metrics, and the totals add them up', async (t) => {
    const told = await live(out.id, 'x')
    t.equal(told.platform, 'x')
    t.equal(told.postId, out.postId)
    t.same(
      told.accounts.map(({ accountId }) => accountId),
      [one, other],
    )
    const each = told.accounts.map(({ metrics = {} }) => metrics)
    for (const metrics of [told.metrics, ...each]) {
      t.same(Object.keys(metrics).toSorted(), ['bookmarks', 'impressions', 'likes', 'quotes', 'replies', 'reposts'])
    }
    t.same(told.metrics, sumOf(each))
    t.ok((told.metrics['impressions'] ?? 0) > 0)
    for (const { capturedAt = '' } of told.accounts) t.ok(Math.abs(Date.parse(capturedAt) - world.clock.now()) < 60_000)
  })

  await t.test('when its platform has no views, then there are none', async (t) => {
    const onBluesky = await post('bluesky', [await world.account('bluesky')])
    const { metrics } = await live(onBluesky.id, 'bluesky')
    t.same(Object.keys(metrics).toSorted(), ['bookmarks', 'likes', 'quotes', 'replies', 'reposts'])
  })

  await t.test('when the platform is not one of the four, then it is not supported, whatever the post', async (t) => {
    for (const platform of [...PLATFORM_KEYS.filter((name) => !hasAnalytics(name)), 'myspace', 'X', 'constructor']) {
      for (const id of [out.id, 'post_none']) {
        const answer = await get(`/posts/${id}/analytics?platform=${platform}`)
        t.match(answer, {
          status: 400,
          body: { error: { code: 'not_supported', message: /youtube, x, pinterest, bluesky/ } },
        })
      }
    }
  })

  await t.test('when the platform is missing, then that is said', async (t) => {
    for (const query of ['', '?platform=', '?platform=x&platform=x']) {
      const answer = await get(`/posts/${out.id}/analytics${query}`)
      t.match(answer, { status: 400, body: { error: { code: 'invalid_request', message: /^platform/ } } }, query)
    }
  })

  await t.test('when the post is not published there, then it is too early to ask', async (t) => {
    const failed = await service.queue({ selections: { x: ['acc_none'] } })
    await service.drain()
    for (const [id, platform] of [
      [out.id, 'bluesky'],
      [out.id, 'youtube'],
      [failed, 'x'],
    ]) {
      const answer = await get(`/posts/${id}/analytics?platform=${platform}`)
      t.match(answer, { status: 409, body: { error: { code: 'failed_precondition', message: /not published on/ } } })
    }
  })

  await t.test(
    'when the post belongs to another workspace or does not exist, then it is forbidden or not found',
    async (t) => {
      const stranger = await api.key({ workspaceId: resourceId('ws', ids.ulid()) })
      t.match(await get(`/posts/${out.id}/analytics?platform=x`, stranger), { status: 403, code: 'forbidden' })
      t.match(await get('/posts/post_none/analytics?platform=x'), { status: 404, code: 'not_found' })
      const blind = await api.key({ scopes: ['posts:read'] })
      t.match(await get(`/posts/${out.id}/analytics?platform=x`, blind), { status: 403, code: 'insufficient_scope' })
    },
  )
})

t.test(
  'given many who ask at once, on two processes, then the platform is asked once, until its answer is old',
  async (t) => {
    const { world, api, key, post } = await given(t)
    const out = await post('x', [await world.account('x')])
    const http = counting(world.http, '/2/tweets?')
    const process = () => {
      const logger = createLogger('silent')
      const { signal } = new AbortController()
      return api.server({
        services: { liveNumbers: liveNumbers({ ...world, access: accessOf({ ...world, http }), logger, signal }) },
      })
    }
    const [one, other] = [await process(), await process()]
    const ask = (times: number) => {
      const call = { path: `/v1/posts/${out.id}/analytics?platform=x`, key }
      return Promise.all(Array.from({ length: times }, (_, nth) => (nth % 2 === 0 ? one : other).call(call)))
    }
    const first = await ask(100)
    t.same(new Set(first.map(({ status }) => status)), new Set([200]))
    t.equal(new Set(first.map((answer) => JSON.stringify(answer.body['accounts']))).size, 1, 'all have the same answer')
    t.equal(http.calls(), 1)
    await ask(10)
    t.equal(http.calls(), 1, 'it is still fresh')
    await world.clock.advanceTo(world.clock.now() + 5 * 60_000 + 1)
    await ask(10)
    t.equal(http.calls(), 2)

    fault(world, 'x')
    await world.clock.advanceTo(world.clock.now() + 5 * 60_000 + 1)
    const failed = await ask(20)
    t.equal(http.calls(), 3, 'a failure is shared as well')
    for (const answer of failed)
      t.match(answer, { status: 200, body: { accounts: [{ error: /\w/, capturedAt: String }] } })
    world.sandbox.faults.clear()
    await world.clock.advanceTo(world.clock.now() + 61_000)
    const [well] = await ask(2)
    t.equal(http.calls(), 4)
    t.equal(liveSchema.parse(well?.body).accounts[0]?.error, undefined)
  },
)

t.test('given a client that is about to ask', async (t) => {
  const { world, get, post } = await given(t)
  const out = await post('x', [await world.account('x')])
  const asking = (forMs: number) =>
    world.db.query(
      `insert into service.live_answers (key, asker, ask_after) values ($1, 'another', $2)
       on conflict (key) do update set asker = 'another', ask_after = $2, failure = null`,
      [JSON.stringify(['post', out.accountId, out.postId]), isoTime(world.clock.now() + forMs)],
    )

  await t.test('when a platform takes too long, then the response says so', async (t) => {
    await asking(HOUR)
    const waiting = get(`/posts/${out.id}/analytics?platform=x`)
    await world.clock.advanceTo(world.clock.now() + 15_000)
    t.match(await waiting, { status: 409, body: { error: { message: /did not respond in time/ } } })
  })

  await t.test('when he has died over it, then who waits asks in his place', async (t) => {
    await asking(10_000)
    const waiting = get(`/posts/${out.id}/analytics?platform=x`)
    await world.clock.advanceTo(world.clock.now() + 10_001)
    t.match(await waiting, { status: 200, body: { metrics: { likes: Number } } })
  })
})

t.test('given a platform that fails', async (t) => {
  const { world, service, live, get, post } = await given(t)
  const accountId = await world.account('x')
  const before = await post('x', [accountId])
  await world.clock.advanceTo(world.clock.now() + HOUR)
  await service.step()
  const [captured] = await looks(world, before.id)
  const capturedAt = world.clock.now()
  await world.clock.advanceTo(world.clock.now() + HOUR / 2)
  const fresh = await post('x', [accountId])
  fault(world, 'x')

  await t.test('when metrics were captured, then they are returned with their time and the reason', async (t) => {
    const told = await live(before.id, 'x')
    t.same(told.metrics, captured?.metrics)
    const [{ capturedAt: at = '', error } = {}] = told.accounts
    t.ok(Math.abs(Date.parse(at) - capturedAt) < 60_000)
    t.match(error, /\w/)
  })

  await t.test('when there are none, then that is said in plain words', async (t) => {
    const answer = await get(`/posts/${fresh.id}/analytics?platform=x`)
    t.match(answer, {
      status: 409,
      body: { error: { code: 'failed_precondition', message: /x has not reported metrics for this post yet\. \w/ } },
    })
  })
})

t.test('given some weeks of posts', async (t) => {
  const { world, api, service, get, live, post } = await given(t)
  const [onX, onBluesky] = [await world.account('x'), await world.account('bluesky')]
  const start = world.clock.now()
  const made: OutPost[] = []
  for (let day = 0; day < 7; day += 1) {
    await world.clock.advanceTo(start + day * DAY)
    made.push(await post('x', [onX], day % 2 === 0 ? ['Bread', '#BREAD', 'oven'] : ['oven']))
    if (day < 2) made.push(await post('bluesky', [onBluesky]))
    await pass(world, service, 2 * HOUR)
  }
  await pass(world, service, 3 * DAY)
  const newest = new Map((await looks(world)).map((look) => [look.postId, look]))
  const of = (accountId: string) => [...newest.values()].filter((look) => look.accountId === accountId)
  const impressions = of(onX).map(({ metrics }) => metrics['impressions'] ?? NaN)
  const acts = ({ metrics }: { metrics: Readonly<Record<string, number>> }) =>
    ['likes', 'reposts', 'replies', 'quotes', 'bookmarks'].reduce((sum, name) => sum + (metrics[name] ?? 0), 0)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

  await t.test(
    'when the summary is asked for, then its totals and top posts are those of the newest numbers',
    async (t) => {
      const { totals, topPosts } = summarySchema.parse((await get('/analytics/summary')).body)
      t.equal(totals.posts, 9)
      t.equal(totals.views, sum(impressions))
      t.equal(totals.interactions, sum([...newest.values()].map(acts)))
      t.equal(totals.engagementRate, sum(of(onX).map(acts)) / sum(impressions), 'of posts that tell both')
      const byViews = impressions.toSorted((one, other) => other - one)
      t.same(
        topPosts.map(({ views }) => views),
        byViews.slice(0, 3),
      )
      t.ok(topPosts.every(({ id }) => made.some((out) => out.id === id)))

      const alone = summarySchema.parse((await get(`/analytics/summary?accountId=${onBluesky}&days=90`)).body)
      t.equal(alone.totals.posts, 2)
      t.notOk('views' in alone.totals || 'engagementRate' in alone.totals, 'no platform has returned them')
      t.same(alone.topPosts, [])
      const none = summarySchema.parse((await get('/analytics/summary?days=1')).body)
      t.same(none, { totals: { posts: 0 }, topPosts: [] })
    },
  )

  await t.test('when one account is requested, then formats and hashtags have their medians', async (t) => {
    const told = accountSchema.parse((await get(`/analytics/accounts/${onX}`)).body)
    t.equal(told.totals.posts, 7)
    t.ok((told.followers ?? -1) >= 0)
    t.match(told.formats, [{ format: 'image', posts: 7, medianViews: Number, medianInteractions: Number }])
    t.same(
      Object.fromEntries(told.hashtags.map(({ hashtag, posts }) => [hashtag, posts])),
      { bread: 4, oven: 7 },
      'each post once, whatever the case',
    )
    const sorted = impressions.toSorted((one, other) => one - other)
    t.equal(told.formats[0]?.medianViews, sorted[3])
  })

  await t.test('when best times are asked for, then they are those of the account, or general ones', async (t) => {
    const own = await get(`/analytics/accounts/${onX}/best-times?timezone=Asia/Tokyo`)
    t.match(own, {
      status: 200,
      body: { basedOn: 'history', posts: 7, timezone: 'Asia/Tokyo', formats: [{ format: 'image', posts: 7 }] },
    })
    t.match(own.body['postingFrequency'], { postsPerWeek: Number })
    const few = await get(`/analytics/accounts/${onBluesky}/best-times`)
    t.match(few, { status: 200, body: { basedOn: 'general', posts: 2, timezone: 'UTC' } })
    t.match(few.body['guidance'], [/too few posts/])
    t.match(few.body['bestTimes'], [{ weekday: String, hour: Number }])
  })

  await t.test('when top posts are listed by pages, then each with the metric appears once', async (t) => {
    for (const sort of ['views', 'likes', 'comments'] as const) {
      const all: z.infer<typeof ranked>[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = topSchema.parse(
          (await get(`/analytics/top-posts?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`)).body,
        )
        t.ok(page.posts.length <= 2)
        all.push(...page.posts)
        cursor = page.nextCursor
      }
      t.equal(all.length, sort === 'views' ? 7 : 9)
      t.equal(new Set(all.map(({ id }) => id)).size, all.length)
      const values = all.map((row) => row[sort] ?? NaN)
      t.same(
        values,
        values.toSorted((one, other) => other - one),
        sort,
      )
      t.same(
        all.map((row) => row.metrics),
        all.map(({ id }) => newest.get(id)?.metrics),
      )
    }
    const { nextCursor } = topSchema.parse((await get('/analytics/top-posts?limit=2')).body)
    t.match(await get(`/analytics/top-posts?sort=likes&cursor=${nextCursor}`), { status: 400 }, 'of another ranking')
    const onlyBluesky = topSchema.parse((await get(`/analytics/top-posts?sort=likes&accountId=${onBluesky}`)).body)
    t.equal(onlyBluesky.posts.length, 2)
  })

  await t.test('when a day in the past is asked for, then all is as it was known at its end', async (t) => {
    const day = isoTime(start + 3 * DAY).slice(0, 10)
    const end = Date.parse(day) + DAY
    const then = new Map(
      (await looks(world)).flatMap((look) => (publishedAt(look, made) + look.age < end ? [[look.postId, look]] : [])),
    )
    const before = summarySchema.parse((await get(`/analytics/summary?asOf=${day}`)).body)
    t.equal(before.totals.interactions, sum([...then.values()].map(acts)))
    const now = summarySchema.parse((await get('/analytics/summary')).body)
    t.ok((before.totals.interactions ?? 0) < (now.totals.interactions ?? 0))
    for (const { capturedAt } of before.topPosts) t.ok(Date.parse(capturedAt) < end)
    const top = topSchema.parse((await get(`/analytics/top-posts?asOf=${day}&sort=likes`)).body)
    t.same(
      top.posts.map(({ metrics }) => metrics),
      top.posts.map(({ id }) => then.get(id)?.metrics),
    )
    const account = accountSchema.parse((await get(`/analytics/accounts/${onX}?asOf=${day}`)).body)
    t.notOk('followers' in account)
    t.equal(account.totals.posts, made.filter(({ at, accountId }) => accountId === onX && at < end).length)
    const today = isoTime(world.clock.now()).slice(0, 10)
    t.same(summarySchema.parse((await get(`/analytics/summary?asOf=${today}`)).body), now)
  })

  await t.test(
    'when the account belongs to another workspace, or has no metrics, then the error says so',
    async (t) => {
      const stranger = await api.key({ workspaceId: resourceId('ws', ids.ulid()) })
      const silent = await world.account('instagram')
      const paths = (id: string) => [
        ...[`/analytics/summary?accountId=${id}`, `/analytics/top-posts?accountId=${id}`],
        ...[`/analytics/accounts/${id}`, `/analytics/accounts/${id}/best-times`],
      ]
      await service.step()
      for (const path of paths(onX)) t.match(await get(path, stranger), { status: 403, code: 'forbidden' }, path)
      for (const path of paths('acc_none')) t.match(await get(path), { status: 404, code: 'not_found' }, path)
      for (const path of paths(silent)) t.match(await get(path), { status: 400, code: 'not_supported' }, path)
      t.match((await get('/analytics/summary', stranger)).body, { totals: { posts: 0 }, topPosts: [] })
      t.ok(await live(made[0]?.id ?? '', 'x'))
    },
  )

  await t.test('when a parameter breaks a rule, then it is named', async (t) => {
    const tomorrow = isoTime(world.clock.now() + DAY).slice(0, 10)
    const wrong: readonly (readonly [string, RegExp])[] = [
      ...['0', '91', '-1', '1.5', 'all', '', '030'].flatMap((days) =>
        [
          '/analytics/summary',
          `/analytics/accounts/${onX}`,
          `/analytics/accounts/${onX}/best-times`,
          '/analytics/top-posts',
        ].map((path) => [`${path}?days=${days}`, /^days must be a whole number from 1 to 90/] as const),
      ),
      ...['2026-02-30', 'yesterday', '', '2026-1-1', `${tomorrow}T00:00:00Z`].map(
        (day) => [`/analytics/summary?asOf=${day}`, /^asOf must be a calendar date/] as const,
      ),
      [`/analytics/summary?asOf=${tomorrow}`, /^asOf must not be in the future/],
      [`/analytics/top-posts?asOf=${tomorrow}`, /^asOf must not be in the future/],
      ['/analytics/top-posts?sort=money', /^sort must be one of views, interactions, likes, comments/],
      ['/analytics/top-posts?limit=0', /^limit/],
      ['/analytics/top-posts?limit=101', /^limit/],
      ['/analytics/top-posts?cursor=made-up', /^cursor is not a cursor of this list/],
      ['/analytics/top-posts?accountId=', /^accountId must not be empty/],
      ['/analytics/summary?accountId=', /^accountId must not be empty/],
      ...['Mars/Base', '+02:00', ''].map(
        (zone) =>
          [
            `/analytics/accounts/${onX}/best-times?timezone=${encodeURIComponent(zone)}`,
            /^timezone must be an IANA name/,
          ] as const,
      ),
    ]
    for (const [path, message] of wrong) {
      t.match(await get(path), { status: 400, body: { error: { code: 'invalid_request', message } } }, path)
    }
  })
})

/** When the post of a look went out. */
function publishedAt(
  { postId }: { readonly postId: string },
  made: readonly { readonly id: string; readonly at: number }[],
) {
  return made.find(({ id }) => id === postId)?.at ?? NaN
}
