import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { lookAfter, lookAfterMissing, slotAt } from '../../domain/analytics/metrics-cadence.ts'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { metrics } from '../../domain/analytics/post-metrics.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import { captureMetrics, missMetrics } from '../../commands/metrics.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import { putOff, type DuePost } from '../../projections/models/post-metrics.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'

/** Later than any due time, yet a valid date everywhere. */
const NEVER = Date.UTC(9999, 11, 31)

export type CapturedAccount = PlatformAccount & { readonly workspaceId: string }

/**
 * Records the result of one look at an account's posts: metrics as one event per post and look. A missing post gets one event;
 * after that only the time of the next search is stored.
 *
 * @param numbers by the platform's ids
 * @param now time of the look, ms since the epoch
 * @returns when the first of them is due again, ms since the epoch
 */
export async function recordMetrics(
  deps: CommandDeps & { readonly db: Database; readonly logger: Logger },
  account: CapturedAccount,
  posts: readonly DuePost[],
  numbers: ReadonlyMap<string, PostMetrics>,
  now: number,
): Promise<number> {
  await Promise.all(posts.map((post) => putDownOne(deps, account, post, numbers.get(post.platform_post_id), now)))
  const again = posts.map((post) => {
    const [isFound, at] = [numbers.has(post.platform_post_id), Date.parse(post.published_at)]
    return { post, isFound, next: (isFound ? lookAfter : lookAfterMissing)(at, slotAt(at, now)) ?? NEVER }
  })
  const stillMissing = again.filter(({ post, isFound }) => post.missing_since !== null && !isFound)
  const searches = stillMissing.map(({ post: { id }, next }) => ({ id, at: isoTime(next) }))
  if (searches.length > 0) await putOff(deps.db, searches)
  return Math.min(...again.map(({ next }) => next))
}

async function putDownOne(
  deps: CommandDeps & { readonly logger: Logger },
  { id: accountId, workspaceId, platform }: CapturedAccount,
  post: DuePost,
  found: PostMetrics | undefined,
  now: number,
): Promise<void> {
  const { post_id: postId, platform_post_id: platformPostId, published_at: publishedAt } = post
  const slot = slotAt(Date.parse(publishedAt), now)
  const look = { workspaceId, postId, platform, accountId, platformPostId, publishedAt, slot }
  const cause = {
    commandId: derivedId('metrics', postId, accountId, slot),
    actor: { kind: 'reactor', id: 'capture-metrics' },
    correlationId: postId,
  } as const
  try {
    await handle(deps, metrics, post.id, cause, (state) =>
      found
        ? captureMetrics(state, { ...look, mediaType: post.media_type, hashtags: [...post.hashtags], metrics: found })
        : missMetrics(state, look),
    )
  } catch (error) {
    // A post that cannot be recorded, e.g. with a number out of range, must not block the others.
    if (!(error instanceof Refusal)) throw error
    deps.logger.warn({ account: accountId, post: postId, reason: error.message }, 'metrics could not be saved')
  }
}
