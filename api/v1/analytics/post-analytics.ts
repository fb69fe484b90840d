import * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { sumOf } from '../../../domain/analytics/figures.ts'
import type { LiveAnswer } from '../../../domain/analytics/live-numbers.ts'
import type { PostMetrics } from '../../../domain/analytics/metrics.ts'
import { postMetricsId } from '../../../domain/analytics/post-metrics.ts'
import { text } from '../../../domain/core/text.ts'
import { findPostMetrics, type PostMetricsRow } from '../../../projections/models/post-metrics.ts'
import { findPost, type PostRow } from '../../../projections/models/posts.ts'
import { mustHaveAnalytics, postAnalyticsQuery } from './analytics-query.ts'
import { postAnalyticsSchema } from './analytics-schemas.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

const params = z.object({ id: text(100) })

/** Its metrics are not read any more. */
const DELETED: LiveAnswer<PostMetrics> = { failure: 'The post was unpublished.' }

interface PublishedOn {
  readonly accountId: string
  /** The platform's own id. */
  readonly postId: string
  readonly isDeleted: boolean
}

/** A platform's current metrics of a post (api-spec §4, Posts, rule 3). */
export function postAnalyticsRoute({ db, liveNumbers }: Services): AnyRoute {
  return route({
    method: 'GET',
    path: '/posts/{id}/analytics',
    operationId: 'getPostAnalytics',
    summary: 'Get the current metrics of one post on one platform',
    description:
      'Live from the platform, unless source is captured. Only for youtube, x, pinterest and bluesky. Unavailable metrics are omitted, ' +
      'never reported as zero.',
    reachesOut: true,
    mayConflict: true,
    tag: 'Posts',
    scope: 'analytics:read',
    params,
    query: postAnalyticsQuery,
    answer: { status: 200, description: 'Totals, and the metrics of each account.', schema: postAnalyticsSchema },
    handle: async ({ params: { id }, query: { platform, source }, caller }) => {
      mustHaveAnalytics(platform)
      const published = publishedOn(owned(await findPost(db, id), caller, 'post'), platform)
      const [first] = published
      if (!first) throw new Refusal('failed_precondition', `The post is not published on ${platform}.`)
      const captured = await findPostMetrics(
        db,
        published.map(({ accountId }) => postMetricsId(id, accountId)),
      )
      const accounts = await Promise.all(
        published.map(async ({ isDeleted, ...on }) => {
          const isAsked = source === 'live' && !isDeleted
          const live = isAsked ? await liveNumbers.ofPost(on.accountId, on.postId) : isDeleted ? DELETED : {}
          return { ...on, ...newestOf(live, captured.get(postMetricsId(id, on.accountId))) }
        }),
      )
      const reported = accounts.flatMap(({ metrics }) => metrics ?? [])
      if (reported.length === 0 && source === 'live') {
        const why = accounts.find(({ error }) => error !== undefined)?.error ?? ''
        throw new Refusal('failed_precondition', `${platform} has not reported metrics for this post yet. ${why}`)
      }
      return { status: 200, body: { platform, postId: first.postId, metrics: sumOf(reported), accounts } }
    },
  })
}

function publishedOn({ results }: PostRow, platform: string): readonly PublishedOn[] {
  return (results[platform] ?? []).flatMap((result) =>
    result.ok
      ? { accountId: result.accountId, postId: result.postId, isDeleted: result.unpublish?.status === 'unpublished' }
      : [],
  )
}

/** The platform's current metrics or, if it returns none, the newest that are known. */
function newestOf(
  { value, at, failure }: LiveAnswer<PostMetrics>,
  row: PostMetricsRow | undefined,
): { readonly metrics?: PostMetrics; readonly capturedAt?: string; readonly error?: string } {
  const error = failure === undefined ? {} : { error: failure }
  const before = row?.metrics && row.capturedAt !== null ? { metrics: row.metrics, capturedAt: row.capturedAt } : {}
  if (value === undefined || at === undefined) return { ...before, ...error }
  const isOlder = failure !== undefined && before.capturedAt !== undefined && before.capturedAt > at
  return { ...(isOlder ? before : { metrics: value, capturedAt: at }), ...error }
}
