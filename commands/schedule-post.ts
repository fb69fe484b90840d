import { Refusal } from '../domain/core/errors.ts'
import { isQueued, type Due, type PostContent, type PostState, type ScheduledPost } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { dueAt, dueAtMoment } from '../domain/post/wall-time.ts'

/**
 * Puts a post down for later. Scheduling the same post again changes nothing.
 *
 * @param now milliseconds since the epoch
 * @throws Refusal invalid_request when the time has passed
 */
export function schedulePost(state: PostState, content: PostContent, due: Due, now: number): readonly PostEvent[] {
  if (state.status !== 'absent') return []
  mustBeAhead(due, now, 'date and time')
  return [{ type: 'PostScheduled', data: { ...content, ...due } }]
}

/** Another time: a moment in UTC, or a date and a time of day in the post's own zone. What is left out stays. */
export type AnotherTime =
  { readonly scheduledAtUtc: string } | { readonly date?: string | undefined; readonly time?: string | undefined }

/**
 * @param now milliseconds since the epoch
 * @throws Refusal failed_precondition when it is not pending any more, invalid_request for a time that is none or has passed
 */
export function reschedulePost(state: PostState, change: AnotherTime, now: number): readonly PostEvent[] {
  const { due } = mustBePending(state)
  if ('scheduledAtUtc' in change) {
    const moment = dueAtMoment(change.scheduledAtUtc, due.timezone)
    mustBeAhead(moment, now, 'scheduledAtUtc')
    return [{ type: 'PostRescheduled', data: moment }]
  }
  const next = dueAt(change.date ?? due.date, change.time ?? due.time, due.timezone)
  mustBeAhead(next, now, 'date and time')
  return [{ type: 'PostRescheduled', data: next }]
}

/** @throws Refusal failed_precondition when it is not pending any more */
export function cancelSchedule(state: PostState): readonly PostEvent[] {
  mustBePending(state)
  return [{ type: 'ScheduleCancelled', data: {} }]
}

function mustBePending(state: PostState): ScheduledPost {
  if (isQueued(state)) {
    throw new Refusal('failed_precondition', 'Its time has come: the post is being published, or has been.')
  }
  if (state.status === 'absent') throw new Refusal('not_found', 'No such scheduled post.')
  if (state.status === 'cancelled') throw new Refusal('failed_precondition', 'The scheduled post was cancelled.')
  return state
}

function mustBeAhead({ dueAt }: Due, now: number, fields: string): void {
  if (Date.parse(dueAt) > now) return
  throw new Refusal('invalid_request', `${fields} must be in the future; this was ${dueAt}`)
}
