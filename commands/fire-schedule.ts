import { isQueued, type PostState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { finished } from './finish-post.ts'
import { queueEvents } from './queue-post.ts'

/**
 * Queues a scheduled post that is due. One that is overdue by more than `graceMs`, because the service was not running, fails
 * at once on each account; a user can still retry it.
 *
 * @param now milliseconds since the epoch
 * @param graceMs how late a post may still be published automatically (decisions, "Scheduled posts")
 * @returns no events when the post is not due, was cancelled, or was already queued
 */
export function fireSchedule(state: PostState, now: number, graceMs: number): readonly PostEvent[] {
  if (isQueued(state) || state.status !== 'pending') return []
  const lateMs = now - Date.parse(state.due.dueAt)
  if (lateMs < 0) return []
  const queued = queueEvents({ ...state.content, origin: 'schedule' })
  return finished(state, lateMs <= graceMs ? queued : [...queued, ...missed(queued, state.due.dueAt)])
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
