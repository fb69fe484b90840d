import t, { type Test } from 'tap'
import fc from 'fast-check'
import { requireReauth, restAccount } from '../commands/account-standing.ts'
import { handle } from '../commands/handle.ts'
import { account, type AccountEvent, type AccountState } from '../domain/account/account.ts'
import { lookAfter, lookAfterMissing, slotAt } from '../domain/analytics/metrics-cadence.ts'
import { ANALYTICS_PLATFORMS } from '../domain/analytics/metrics.ts'
import type { Analytics } from '../platforms/kit/analytics.ts'
import { PlatformError } from '../platforms/kit/platform.ts'
import { platforms } from '../platforms/registry.ts'
import { connectedAccounts } from '../projections/models/accounts.ts'
import { projections } from '../projections/models/index.ts'
import { findPostMetrics } from '../projections/models/post-metrics.ts'
import { resetTables } from '../projections/engine/tables.ts'
import { postMetricsId } from '../domain/analytics/post-metrics.ts'
import { counting, DAY, HOUR, looks, published, type Look, type OutPost } from './support/analytics.ts'
import { pass } from './support/comments.ts'
import { fused } from './support/fuse.ts'
import { causedBy, givenProcess, givenWorld, type World } from './support/world.ts'

const BLUESKY_POSTS = 'app.bsky.feed.getPosts'
/** Ages of a post when it is looked at. */
const GRID = [HOUR, 6 * HOUR, ...Array.from({ length: 90 }, (_, day) => (day + 1) * DAY)]

const ages = (found: readonly Look[]) => found.map(({ age }) => age)
const decideAccount = (world: World, id: string, decision: (state: AccountState) => readonly AccountEvent[]) =>
  handle(world, account, id, causedBy(`${id} ${world.clock.now()}`), decision)

async function given(
  t: Test,
  more: Parameters<typeof givenWorld>[1] = {},
  parts: Parameters<typeof givenProcess>[1] = {},
) {
  const world = await givenWorld(t, more)
  const service = await givenProcess(world, { metrics: true, ...parts })
  const accountId = await world.account('bluesky')
  return { world, service, accountId, shown: async () => (await connectedAccounts(world.db, world.workspaceId))[0] }
}

t.test('the platforms that tell how posts do are those that the contract names', (t) => {
  const telling = Object.values(platforms).filter(({ analytics }) => analytics)
  t.same(telling.map(({ key }) => key).toSorted(), [...ANALYTICS_PLATFORMS].toSorted())
  for (const { key, analytics } of telling) {
    t.ok((analytics?.postsPerCall ?? 0) >= 1 && (analytics?.freshForMs ?? 0) > 0, `${key} says how it is asked`)
  }
  t.end()
})

t.test('given the cadence', (t) => {
  t.test('when each look is made in time, then they are at 1 hour, 6 hours and each of 90 days', (t) => {
    const made: number[] = []
    for (let at = lookAfter(0, -1); at !== undefined; at = lookAfter(0, slotAt(0, at))) made.push(at)
    t.same(made, GRID)
    t.end()
  })

  t.test('when a check is late, then it replaces the last one that was due, and the next one keeps its time', (t) => {
    const time = fc.integer({ min: 0, max: 100 * DAY })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), time, (publishedAt, age) => {
        const slot = slotAt(publishedAt, publishedAt + age)
        t.equal(slot, GRID.filter((due) => due <= age).length - 1)
        const next = lookAfter(publishedAt, slot)
        t.equal(
          next === undefined ? undefined : next - publishedAt,
          GRID.find((due) => due > age),
        )
        const search = lookAfterMissing(publishedAt, slot)
        t.equal(
          search === undefined ? undefined : search - publishedAt,
          GRID.find((due) => due >= 2 * (GRID[slot] ?? 0)),
        )
      }),
    )
    t.end()
  })
  t.end()
})

t.test('given a platform whose metrics are not captured, then they are not requested', async (t) => {
  const { world, service, accountId } = await given(t, {}, { metrics: ['x'] })
  await published(world, service, { bluesky: [accountId] }, [])
  await pass(world, service, 2 * DAY)
  t.same(await looks(world), [])
})

t.test('given a post, when 91 days pass', async (t) => {
  const { world, service, accountId } = await given(t)
  const [post] = await published(world, service, { bluesky: [accountId] }, ['Bread', '#oven'])
  if (!post) return t.fail('there is no post')
  await pass(world, service, 20 * DAY)

  await t.test('then its numbers are recorded at each check, as the platform reports them', async (t) => {
    const found = await looks(world)
    t.same(ages(found), GRID.slice(0, 22))
    for (const { metrics } of found)
      t.same(Object.keys(metrics).toSorted(), ['bookmarks', 'likes', 'quotes', 'replies', 'reposts'])
    const likes = found.map(({ metrics }) => metrics['likes'] ?? NaN)
    t.same(
      likes,
      likes.toSorted((one, other) => one - other),
      'it only grows',
    )
    t.ok((likes.at(-1) ?? 0) > 0)
    const id = postMetricsId(post.id, accountId)
    t.match((await findPostMetrics(world.db, [id])).get(id), {
      ...{
        views: null,
        likes: String(likes.at(-1)),
        hashtags: ['Bread', '#oven'],
        mediaType: 'image',
        missingSince: null,
      },
      ...{ platform: 'bluesky', platformPostId: post.postId, metrics: found.at(-1)?.metrics },
    })
  })

  await t.test(
    'when the service is down for ten days, then it is checked at once, and as usual after that',
    async (t) => {
      await world.clock.advanceTo(world.clock.now() + 10 * DAY + HOUR)
      await pass(world, service, 2 * DAY)
      t.same(ages(await looks(world)).slice(22), [30 * DAY + HOUR, 31 * DAY, 32 * DAY])
    },
  )

  await t.test('when the read models are rebuilt, then nothing is recorded again', async (t) => {
    await resetTables(world.db, projections)
    await pass(world, service, HOUR)
    t.equal((await looks(world)).length, 25)
  })

  await t.test('when it is 90 days old, then it is checked for the last time', async (t) => {
    await world.clock.advanceTo(world.clock.now() + 50 * DAY)
    await pass(world, service, 20 * DAY)
    const [late, ...last] = ages(await looks(world)).slice(25)
    t.equal(late, 82 * DAY + 2 * HOUR)
    t.same(last, GRID.slice(84))
  })
})

t.test('given more posts than one call takes, when they are due, then there are as few calls as can be', async (t) => {
  const world = await givenWorld(t)
  const http = counting(world.http, BLUESKY_POSTS)
  const service = await givenProcess(world, { metrics: true, http })
  const [one, other] = [await world.account('bluesky'), await world.account('bluesky')]
  for (let n = 0; n < 27; n += 1) await service.queue({ selections: { bluesky: [one] } })
  const both = await published(world, service, { bluesky: [one, other] })
  await pass(world, service, 2 * HOUR)
  const found = await looks(world)
  t.equal(found.length, 29)
  t.equal(new Set(found.map(({ postId, accountId: id }) => `${postId} ${id}`)).size, 29)
  t.same(
    found
      .filter(({ postId }) => postId === both[0]?.id)
      .map(({ accountId: id }) => id)
      .toSorted(),
    [one, other].toSorted(),
  )
  t.ok(http.calls() <= 6, `${http.calls()} calls`)
})

t.test(
  'given posts that are due, when the process dies before or after any step, then each check is recorded once',
  async (t) => {
    const { world, service, accountId } = await given(t)
    const run = async (point?: { act: number; moment: 'before' | 'after' }) => {
      const posts = [
        ...(await published(world, service, { bluesky: [accountId] })),
        ...(await published(world, service, { bluesky: [accountId] })),
      ]
      await world.clock.advanceTo(world.clock.now() + HOUR)
      const fuse = fused(world, point)
      const mortal = await givenProcess(world, { ...fuse, slots: 1, metrics: true })
      await pass(world, mortal, 0).catch((error: unknown) => {
        if (!fuse.dead()) throw error
      })
      await pass(world, await givenProcess(world, { metrics: true }), HOUR / 2)
      const counts = await Promise.all(posts.map(async ({ id }) => (await looks(world, id)).map(({ slot }) => slot)))
      return { acts: fuse.acts, counts }
    }
    const { acts, counts } = await run()
    t.same(counts, [[0], [0]])
    t.ok(acts.length >= 3, acts.join(', '))
    for (const act of acts.keys()) {
      for (const moment of ['before', 'after'] as const) {
        t.same((await run({ act, moment })).counts, [[0], [0]], `died ${moment} ${acts[act]}`)
      }
    }
    const all = (await looks(world)).map(({ postId, slot }) => `${postId} ${slot}`)
    t.equal(new Set(all).size, all.length, 'nothing twice, over all runs')
  },
)

t.test('given a platform in trouble', async (t) => {
  const { world, service, accountId, shown } = await given(t)
  const [post] = await published(world, service, { bluesky: [accountId] })
  const put = async () => (await looks(world, post?.id)).map(({ slot }) => slot)

  await t.test('when it does not answer, then that is shown, and it is asked again until it does', async (t) => {
    const http: World['http'] = { ...world.http, request: () => Promise.reject(new Error('away')) }
    await pass(world, await givenProcess(world, { metrics: true, http }), 2 * HOUR)
    t.match(await shown(), { analyticsError: /\w/, needsReauth: null, restsUntil: null })
    t.same(await put(), [])
    await pass(world, service, 7 * HOUR)
    t.match(await shown(), { analyticsError: null })
    t.same(await put(), [0, 1])
  })

  await t.test('when it wants to be left alone, then it is until then', async (t) => {
    await decideAccount(world, accountId, (state) =>
      restAccount(state, { reason: 'Too much.', forMs: 20 * HOUR }, world.clock.now()),
    )
    const http = counting(world.http, BLUESKY_POSTS)
    const patient = await givenProcess(world, { metrics: true, http })
    await pass(world, patient, 19 * HOUR)
    t.equal(http.calls(), 0)
    await pass(world, patient, 2 * HOUR)
    t.same(await put(), [0, 1, 2])
  })

  await t.test('when the account has to be connected again, then no request is sent until it is', async (t) => {
    const connected = await shown()
    await decideAccount(world, accountId, (state) => requireReauth(state, 'Log in again.'))
    const http = counting(world.http, BLUESKY_POSTS)
    const patient = await givenProcess(world, { metrics: true, http })
    await pass(world, patient, 3 * DAY)
    t.equal(http.calls(), 0)
    const { platform, externalId, label, baseUrl } = connected ?? {}
    const data = { workspaceId: world.workspaceId, platform, externalId, label, baseUrl }
    await decideAccount(world, accountId, () => [{ type: 'AccountConnected', data } as AccountEvent])
    await pass(world, patient, HOUR)
    t.equal(http.calls(), 1)
    t.equal((await put()).length, 4)
  })
})

t.test('given posts, when the platform refuses the numbers of one, then the others are recorded in time', async (t) => {
  const told = platforms.bluesky.analytics
  if (!told) throw new Error('it has no numbers')
  let refused: string | undefined
  const analytics: Analytics = {
    ...told,
    postsPerCall: 1,
    metrics: (source, ids, io) => {
      if (refused !== undefined && ids.includes(refused)) throw new PlatformError('permanent', 'Not of this one.')
      return told.metrics(source, ids, io)
    },
  }
  const { world, service, accountId, shown } = await given(t, {
    platforms: { bluesky: { ...platforms.bluesky, analytics } },
  })
  const posts: OutPost[] = []
  for (let n = 0; n < 3; n += 1) posts.push(...(await published(world, service, { bluesky: [accountId] })))
  refused = posts.toSorted((one, other) =>
    postMetricsId(one.id, accountId) < postMetricsId(other.id, accountId) ? -1 : 1,
  )[0]?.postId
  await pass(world, service, DAY)
  for (const { id, postId } of posts) {
    t.same(ages(await looks(world, id)), postId === refused ? [] : GRID.slice(0, 3))
  }
  t.match(await shown(), { analyticsError: 'Not of this one.' })
  refused = undefined
  await pass(world, service, 6 * HOUR)
  t.equal((await looks(world)).length, 7)
  t.match(await shown(), { analyticsError: null })
})

t.test('given a post that the platform does not know', async (t) => {
  const hidden = new Set<string>()
  let asked = 0
  const told = platforms.bluesky.analytics
  if (!told) throw new Error('it has no numbers')
  const analytics: Analytics = {
    ...told,
    metrics: async (source, ids, io) => {
      asked += 1
      const all = await told.metrics(source, ids, io)
      return new Map([...all].filter(([id]) => !hidden.has(id)))
    },
  }
  const { world, service, accountId } = await given(t, { platforms: { bluesky: { ...platforms.bluesky, analytics } } })
  const [post] = await published(world, service, { bluesky: [accountId] })
  if (!post) return t.fail('there is no post')
  const typesOf = async () => (await looks(world, post.id)).map(({ type }) => type)

  await t.test('when it is only too fresh, then it is known at the next look', async (t) => {
    hidden.add(post.postId)
    await pass(world, service, 2 * HOUR)
    t.same(await typesOf(), ['MetricsMissing'])
    hidden.clear()
    await pass(world, service, 5 * HOUR)
    t.same(await typesOf(), ['MetricsMissing', 'MetricsCaptured'])
  })

  await t.test(
    'when it is deleted, then that is noted once, it is looked for ever less often, and its numbers stay',
    async (t) => {
      await pass(world, service, 4 * DAY)
      const id = postMetricsId(post.id, accountId)
      const before = (await findPostMetrics(world.db, [id])).get(id)
      hidden.add(post.postId)
      asked = 0
      await pass(world, service, 60 * DAY)
      t.same((await typesOf()).filter((type) => type === 'MetricsMissing').length, 2)
      t.equal(asked, 4, 'at 5, 10, 20 and 40 days')
      const after = (await findPostMetrics(world.db, [id])).get(id)
      t.match(after, {
        missingSince: String,
        metrics: before?.metrics,
        likes: before?.likes,
        capturedAt: before?.capturedAt,
      })
    },
  )
})
