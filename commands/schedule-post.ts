import { Refusal } from '../domain/core/errors.ts'
import { isQueued, type Due, type PostContent, type PostState, type ScheduledPost } from '../domain/post/post.ts'
import type { PinnedMedia, PostEvent } from '../domain/post/post-events.ts'
import { mediaUrls } from '../domain/post/post-media.ts'
import { dueAt, dueAtMoment } from '../domain/post/wall-time.ts'

/**
 * Schedules a post. Scheduling the same post again is a no-op.
 *
 * @param now milliseconds since the epoch
 * @param fields that the time was given by, for the error
 * @throws Refusal invalid_request when the time has passed
 */
export function schedulePost(
  state: PostState,
  content: PostContent,
  due: Due,
  now: number,
  fields = 'date and time',
): readonly PostEvent[] {
  if (state.status !== 'absent') return []
  mustBeAhead(due, now, fields)
  return [{ type: 'PostScheduled', data: { ...content, ...due } }]
}

/** The new time: a UTC timestamp, or a local date, time of day and zone. Omitted fields stay as they are. */
export type AnotherTime =
  | { readonly scheduledAtUtc: string }
  | {
      readonly date?: string | undefined
      readonly time?: string | undefined
      readonly timezone?: string | undefined
    }

export interface PostEdit {
  /** The whole content, changed or not. Absent: it stays as it is. */
  readonly content?: ((before: PostContent) => PostContent) | undefined
  /** Absent: it stays as it is. */
  readonly time?: AnotherTime | undefined
}

/**
 * @param now milliseconds since the epoch
 * @throws Refusal not_found; failed_precondition when it is no longer pending; invalid_request when the time is invalid or has
 *   passed
 */
export function editScheduledPost(state: PostState, { content, time }: PostEdit, now: number): readonly PostEvent[] {
  const before = mustBePending(state)
  return [
    ...(content ? [{ type: 'PostEdited', data: content(before.content) } as const] : []),
    ...(time ? [{ type: 'PostRescheduled', data: moved(before.due, time, now) } as const] : []),
  ]
}

function moved(due: Due, to: AnotherTime, now: number): Due {
  if ('scheduledAtUtc' in to) {
    const moment = dueAtMoment(to.scheduledAtUtc, due.timezone)
    mustBeAhead(moment, now, 'scheduledAtUtc')
    return moment
  }
  const next = dueAt(to.date ?? due.date, to.time ?? due.time, to.timezone ?? due.timezone)
  mustBeAhead(next, now, 'date and time')
  return next
}

/**
 * Records which media of a scheduled post were copied.
 *
 * @param media of all its URLs outside of the media store
 * @param isElsewhere whether a URL is one of them
 * @returns no events when the post has been edited to show others meanwhile, or is no longer pending
 */
export function pinMedia(
  state: PostState,
  media: readonly PinnedMedia[],
  isElsewhere: (url: string) => boolean,
): readonly PostEvent[] {
  if (isQueued(state) || state.status !== 'pending') return []
  const isCovered = mediaUrls(state.content).every((url) => !isElsewhere(url) || media.some((item) => item.url === url))
  return isCovered ? [{ type: 'PostMediaPinned', data: { media: [...media] } }] : []
}

/** @throws Refusal not_found; failed_precondition when it is no longer pending */
export function cancelSchedule(state: PostState): readonly PostEvent[] {
  mustBePending(state)
  return [{ type: 'ScheduleCancelled', data: {} }]
}

function mustBePending(state: PostState): ScheduledPost {
  if (isQueued(state)) {
    throw new Refusal('failed_precondition', 'Too late: the post is already being published or has been published.')
  }
  if (state.status === 'absent') throw new Refusal('not_found', 'No such scheduled post.')
  if (state.status === 'cancelled') throw new Refusal('failed_precondition', 'The scheduled post was cancelled.')
  return state
}

function mustBeAhead({ dueAt }: Due, now: number, fields: string): void {
  if (Date.parse(dueAt) > now) return
  throw new Refusal('invalid_request', `${fields} must be in the future; ${dueAt} has passed`)
}
