import type { Approval } from '../domain/post/approval.ts'
import { isQueued, type PostState, type ScheduledPost } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { finished } from './finish-post.ts'
import { queueEvents } from './queue-post.ts'

/**
 * Queues a scheduled post that is due. One that is overdue by more than `graceMs`, because the service was not running, fails
 * at once on each account; a user can still retry it.
 *
 * @param now milliseconds since the epoch
 * @param graceMs how late a post may still be published automatically (decisions, "Scheduled posts")
 * @returns `PostHeld` when it needs an approval that it does not have; no events when the post is not due, was cancelled, or was already queued
 */
export function fireSchedule(state: PostState, now: number, graceMs: number): readonly PostEvent[] {
  if (isQueued(state) || state.status !== 'pending') return []
  const lateMs = now - Date.parse(state.due.dueAt)
  if (lateMs < 0) return []
  if (state.approval && state.approval.status !== 'approved') return held(state, state.approval)
  const queued = queueEvents({ ...state.content, origin: 'schedule' })
  return finished(state, lateMs <= graceMs ? queued : [...queued, ...missed(queued, state.due.dueAt)])
}

/** A post that nobody approved in time is not published late. */
function held(
  { content: { workspaceId } }: ScheduledPost,
  { publishes, status, requestedBy }: Approval,
): readonly PostEvent[] {
  return publishes === 'at_time' && status !== 'held' ? [{ type: 'PostHeld', data: { workspaceId, requestedBy } }] : []
}

function missed(queued: readonly PostEvent[], dueAt: string): readonly PostEvent[] {
  const error = `missed: the service was not running at ${dueAt}, or for long after. Retry the post to publish it now.`
  return queued.flatMap((event) =>
    event.type === 'PostQueued'
      ? Object.entries(event.data.selections).flatMap(([platform, accountIds]) =>
          accountIds.map((accountId): PostEvent => {
            const data = { platform, accountId, attempt: 1, code: 'missed', error } as const
            return { type: 'AccountPublishFailed', data }
          }),
        )
      : [],
  )
}
