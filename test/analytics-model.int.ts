import fc from 'fast-check'
import t, { type Test } from 'tap'
import { LEAST_HISTORY, postingHistory, WEEKDAYS } from '../domain/analytics/best-times.ts'
import type { NewEvent } from '../domain/core/event.ts'
import { engagementRate, figuresOf, INTERACTIONS, sumOf, type Figures } from '../domain/analytics/figures.ts'
import { derivedId } from '../domain/core/ids.ts'
import { median } from '../domain/analytics/median.ts'
import { METRICS, type PostMetrics } from '../domain/analytics/metrics.ts'
import { hashtagsOf, performanceBy, type MeasuredPost } from '../domain/analytics/performance.ts'
import { postMetricsId } from '../domain/analytics/post-metrics.ts'
import { NO_STREAM } from '../event-log/event-log.ts'
import { measuredPosts, RANKINGS, topPosts, totalsOf, type PostsWithin } from '../projections/models/analytics.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { resourceId } from '../infra/runtime/ids.ts'
import { DAY, HOUR } from './support/analytics.ts'
import { ids } from './support/sandbox.ts'
import { givenProcess, givenWorld } from './support/world.ts'

/*
 * Generated histories: what the service makes of them is held against the plainest computation that there is.
 */

const START = Date.UTC(2026, 0, 1)
const HASHTAGS = ['bread', '#Bread', 'oven', '##oven', 'OVEN', '#', 'ünïcode']

const count = fc.oneof(fc.constant(0), fc.nat(50), fc.integer({ min: 0, max: 3_000_000_000 }))
const metricsArbitrary: fc.Arbitrary<PostMetrics> = fc
  .subarray([...METRICS])
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, count]))))
const lookArbitrary = fc.record({ at: fc.integer({ min: 0, max: 20 * DAY }), metrics: metricsArbitrary })
const postArbitrary = fc.record({
  account: fc.nat(2),
  publishedAt: fc.integer({ min: 0, max: 20 * DAY }).map((ms) => START + ms),
  mediaType: fc.constantFrom('video' as const, 'image' as const),
  hashtags: fc.array(fc.constantFrom(...HASHTAGS), { maxLength: 4 }),
  looks: fc.array(lookArbitrary, { maxLength: 4 }),
})
type GeneratedPost = typeof postArbitrary extends fc.Arbitrary<infer Post> ? Post : never

const plainSum = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const plainFigures = (metrics: PostMetrics): Figures => {
  const acts = INTERACTIONS.flatMap((name) => metrics[name] ?? [])
  const views = metrics.views ?? metrics.impressions
  const likes = metrics.likes ?? metrics.reactions
  const comments = metrics.comments ?? metrics.replies
  return {
    ...(views !== undefined && { views }),
    ...(acts.length > 0 && { interactions: plainSum(acts) }),
    ...(likes !== undefined && { likes }),
    ...(comments !== undefined && { comments }),
  }
}
const plainMedian = (values: readonly number[]) => {
  const sorted = [...values].sort((one, other) => one - other)
  const half = sorted.length / 2
  if (sorted.length === 0) return undefined
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)] : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}
const plainTotals = (all: readonly Figures[]) => {
  const [views, acts] = [all.flatMap((post) => post.views ?? []), all.flatMap((post) => post.interactions ?? [])]
  const both = all.filter((post) => post.views !== undefined && post.interactions !== undefined)
  const seen = plainSum(both.map((post) => post.views ?? 0))
  return {
    posts: all.length,
    ...(views.length > 0 && { views: plainSum(views) }),
    ...(acts.length > 0 && { interactions: plainSum(acts) }),
    ...(seen > 0 && { engagementRate: plainSum(both.map((post) => post.interactions ?? 0)) / seen }),
  }
}

t.test('given any numbers of a post', (t) => {
  t.test('when figures are calculated, then they equal the simple ones, and unknown ones are absent', (t) => {
    fc.assert(fc.property(metricsArbitrary, (metrics) => void t.same(figuresOf(metrics), plainFigures(metrics))))
    t.same(figuresOf({}), {})
    t.same(figuresOf({ impressions: 0 }), { views: 0 })
    t.end()
  })

  t.test('when some are added up, then each number is the sum of those that tell it', (t) => {
    fc.assert(
      fc.property(fc.array(metricsArbitrary, { maxLength: 6 }), (all) => {
        const sums = sumOf(all)
        for (const name of METRICS) {
          const told = all.flatMap((metrics) => metrics[name] ?? [])
          t.equal(sums[name], told.length === 0 ? undefined : plainSum(told))
        }
        t.equal(engagementRate(all.map(figuresOf)), plainTotals(all.map(figuresOf)).engagementRate)
      }),
      { numRuns: 30 },
    )
    t.end()
  })

  t.test('when a median is taken, then it is the middle', (t) => {
    fc.assert(
      fc.property(fc.array(count, { maxLength: 9 }), (values) => void t.equal(median(values), plainMedian(values))),
    )
    t.end()
  })
  t.end()
})

const measuredArbitrary: fc.Arbitrary<readonly MeasuredPost[]> = fc.array(
  fc
    .record({
      at: fc.integer({ min: 0, max: 28 * DAY - 1 }),
      hashtags: fc.array(fc.constantFrom(...HASHTAGS)),
      metrics: metricsArbitrary,
    })
    .map(({ at, hashtags, metrics }) => ({ publishedAt: isoTime(START + at), hashtags, ...figuresOf(metrics) })),
  { maxLength: 40 },
)

t.test('given any posts, when they are grouped, then each group has its own medians, the best first', (t) => {
  fc.assert(
    fc.property(measuredArbitrary, (posts) => {
      const plain = (hashtag: string) => hashtag.replaceAll('#', '').toLowerCase()
      const groups = hashtagsOf(posts)
      const names = new Set(posts.flatMap(({ hashtags }) => hashtags.map(plain)).filter((name) => name !== ''))
      t.same(new Set(groups.map(({ key }) => key)), names)
      for (const { key, posts: size, medianViews, medianInteractions } of groups) {
        const own = posts.filter(({ hashtags }) => hashtags.map(plain).includes(key))
        t.equal(size, own.length)
        t.equal(medianViews, plainMedian(own.flatMap(({ views }) => views ?? [])))
        t.equal(medianInteractions, plainMedian(own.flatMap(({ interactions }) => interactions ?? [])))
      }
      const ranks = groups.map((group) => group.medianInteractions ?? -1)
      t.same(
        ranks,
        ranks.toSorted((one, other) => other - one),
      )
    }),
    { numRuns: 40 },
  )
  t.end()
})

t.test('given any posts, when best times are looked for, then they are those of the clocks in the zone', (t) => {
  const within = { since: isoTime(START), until: isoTime(START + 28 * DAY) }
  fc.assert(
    fc.property(measuredArbitrary, fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'), (posts, timezone) => {
      const told = posts.filter(({ interactions }) => interactions !== undefined)
      const history = postingHistory(posts, within, timezone)
      if (told.length < LEAST_HISTORY) return void t.equal(history, undefined)
      const shown = (post: MeasuredPost) => {
        const parts = new Intl.DateTimeFormat('en', {
          timeZone: timezone,
          weekday: 'long',
          hour: 'numeric',
          hourCycle: 'h23',
        })
          .formatToParts(new Date(post.publishedAt))
          .map(({ type, value }) => [type, value] as const)
        const { weekday = '', hour } = Object.fromEntries(parts)
        return `${weekday.toLowerCase()} ${Number(hour)}`
      }
      const founded = performanceBy(told, (post) => [shown(post)]).filter((slot) => slot.posts >= 2)
      const found = history?.times.map(({ key, ...rest }) => ({ key: `${key.weekday} ${key.hour}`, ...rest })) ?? []
      t.equal(found.length, Math.min(5, founded.length))
      for (const slot of found)
        t.same(
          slot,
          founded.find(({ key }) => key === slot.key),
        )
      t.same(
        found.map((slot) => slot.medianInteractions),
        founded.slice(0, 5).map((slot) => slot.medianInteractions),
      )
      t.ok(history?.weekdays.every(({ key, posts: size }) => WEEKDAYS.includes(key) && size >= 2))

      const weeks = [0, 1, 2, 3].map((week) =>
        told.filter(({ publishedAt }) => Math.floor((START + 28 * DAY - Date.parse(publishedAt)) / (7 * DAY)) === week),
      )
      const scores = [...new Set(weeks.map(({ length }) => length))].flatMap((size) => {
        const alike = weeks.filter(({ length }) => length === size && size > 0)
        const score = plainMedian(alike.flat().flatMap(({ interactions }) => interactions ?? []))
        return alike.length >= 2 && score !== undefined ? [{ size, score }] : []
      })
      const best = scores.toSorted((one, other) => other.score - one.score || one.size - other.size)[0]
      t.equal(history?.bestPostsPerWeek, best?.size)
      const first = Math.min(...told.map(({ publishedAt }) => Date.parse(publishedAt)))
      t.equal(history?.postsPerWeek, told.length / Math.max(1, (START + 28 * DAY - first) / (7 * DAY)))
    }),
    { numRuns: 60 },
  )
  t.end()
})

t.test(
  'given generated histories in the log, when the read models are asked, then they tell what was captured',
  async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world)

    const check = async (posts: readonly GeneratedPost[], from: number, days: number, asKnownThen: boolean) => {
      const accounts = [0, 1, 2].map(() => resourceId('acc', ids.ulid()))
      const written = await Promise.all(posts.map((post) => write(world, accounts[post.account] ?? '', post)))
      await service.step()
      const accountIds = accounts.slice(0, 2)
      const until = START + from
      const asked: PostsWithin = { accountIds, since: isoTime(until - days * DAY), until: isoTime(until), asKnownThen }
      const known = posts.flatMap((post, index) => {
        if (post.account > 1 || post.publishedAt < until - days * DAY || post.publishedAt >= until) return []
        const seen = captures(post).filter(({ at }) => !asKnownThen || at < until)
        return [
          { post, id: written[index] ?? '', figures: plainFigures(seen.at(-1)?.metrics ?? {}), last: seen.at(-1) },
        ]
      })
      same(t, await totalsOf(world.db, asked), plainTotals(known.map(({ figures }) => figures)))
      for (const ranking of RANKINGS) {
        const expected = known
          .filter(({ figures }) => figures[ranking] !== undefined)
          .toSorted(
            (one, other) => (other.figures[ranking] ?? 0) - (one.figures[ranking] ?? 0) || (one.id < other.id ? 1 : -1),
          )
        const first = await topPosts(world.db, asked, { ranking, limit: 2 })
        const last = first.at(-1)
        const after = last && { value: Number(last[ranking]), id: last.id }
        const rest = last ? await topPosts(world.db, asked, { ranking, limit: 100, after }) : []
        const found = [...first, ...rest]
        same(
          t,
          found.map(({ id }) => id),
          expected.map(({ id }) => id),
        )
        same(
          t,
          found.map(({ metrics }) => metrics),
          expected.map((one) => one.last?.metrics),
        )
      }
      const measured = await measuredPosts(world.db, asked)
      const byTime = known.toSorted(
        (one, other) => one.post.publishedAt - other.post.publishedAt || (one.id < other.id ? -1 : 1),
      )
      same(
        t,
        measured.map(({ publishedAt, views, interactions }) => ({ publishedAt, views, interactions })),
        byTime.map(({ post, figures: { views, interactions } }) => ({
          publishedAt: isoTime(post.publishedAt),
          views,
          interactions,
        })),
      )
    }
    const histories = fc.array(postArbitrary, { maxLength: 12 })
    const to = fc.integer({ min: 0, max: 40 * DAY })
    await fc.assert(fc.asyncProperty(histories, to, fc.integer({ min: 1, max: 30 }), fc.boolean(), check), {
      numRuns: 40,
    })
  },
)

/** In the order of time, and no two in one look. */
function captures({
  publishedAt,
  looks,
}: GeneratedPost): readonly { readonly at: number; readonly metrics: PostMetrics }[] {
  return looks
    .map(({ at, metrics }) => ({ at: publishedAt + HOUR + at, metrics }))
    .toSorted((one, other) => one.at - other.at)
    .filter(({ at }, index, all) => all[index - 1]?.at !== at)
}

/** Puts a post and its looks into the log, as the service would; returns the id of its numbers. */
async function write(
  { log, workspaceId }: Awaited<ReturnType<typeof givenWorld>>,
  accountId: string,
  post: GeneratedPost,
): Promise<string> {
  const postId = resourceId('post', ids.ulid())
  const { mediaType, hashtags } = post
  const event = (type: string, data: object, at: number): NewEvent => {
    const actor = { kind: 'reactor', id: 'test' } as const
    const metadata = { at: isoTime(at), actor, correlationId: postId, causationId: `${type} ${at}` }
    return { id: derivedId(postId, type, at), type, data, metadata }
  }
  const published = { platform: 'youtube', accountId, attempt: 1, postId: `yt-${postId}` }
  await log.append(`post-${postId}`, [event('AccountPublished', published, post.publishedAt)], NO_STREAM)
  const id = postMetricsId(postId, accountId)
  const look = {
    workspaceId,
    postId,
    accountId,
    platform: 'youtube',
    platformPostId: published.postId,
    publishedAt: isoTime(post.publishedAt),
  }
  const looks = captures(post).map(({ at, metrics }, slot) =>
    event('MetricsCaptured', { ...look, slot, mediaType, hashtags, metrics }, at),
  )
  if (looks.length > 0) await log.append(`metrics-${id}`, looks, NO_STREAM)
  return id
}

/** Throws, so that fast-check makes the history smaller. */
function same(t: Test, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`)
  }
  t.pass()
}
