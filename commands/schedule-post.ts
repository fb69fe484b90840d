import { Refusal } from '../domain/core/errors.ts'
import { isOpenApproval, type Approval } from '../domain/post/approval.ts'
import { isQueued, type Due, type PostContent, type PostState, type ScheduledPost } from '../domain/post/post.ts'
import type { PinnedMedia, PostEvent } from '../domain/post/post-events.ts'
import { mediaUrls } from '../domain/post/post-media.ts'
import { dueAt, dueAtMoment } from '../domain/post/wall-time.ts'

/**
 * Schedules a post. Scheduling the same post again is a no-op.
 *
 * @param now milliseconds since the epoch
 * @param asks what becomes of it once it is approved, if it needs approval
 * @param fields that the time was given by, for the error
 * @throws Refusal invalid_request when the time has passed
 */
export function schedulePost(
  state: PostState,
  content: PostContent,
  due: Due,
  now: number,
  {
    asks,
    fields = 'date and time',
  }: { readonly asks?: Approval['publishes'] | undefined; readonly fields?: string | undefined } = {},
): readonly PostEvent[] {
  if (state.status !== 'absent') return []
  if (asks !== 'on_approval') mustBeAhead(due, now, fields)
  if (!asks) return [{ type: 'PostScheduled', data: { ...content, ...due } }]
  return [
    { type: 'PostScheduled', data: { ...content, ...due, awaitsApproval: true } },
    requested(content.workspaceId, due, asks),
  ]
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
  /** Whether what is edited needs approval again. A post that awaits approval still does, whoever edits it. */
  readonly asks?: boolean | undefined
}

/**
 * @param now milliseconds since the epoch
 * @throws Refusal not_found; failed_precondition when it is no longer pending; invalid_request when the time is invalid or has
 *   passed
 */
export function editScheduledPost(
  state: PostState,
  { content, time, asks = false }: PostEdit,
  now: number,
): readonly PostEvent[] {
  const { content: before, due, approval } = mustBePending(state)
  const next = time ? moved(due, time, now) : due
  const isOpen = approval !== undefined && isOpenApproval(approval)
  const publishes = isOpen && !time ? approval.publishes : 'at_time'
  return [
    ...(content ? [{ type: 'PostEdited', data: content(before) } as const] : []),
    ...(time ? [{ type: 'PostRescheduled', data: next } as const] : []),
    ...(asks || (isOpen && time) ? [requested(before.workspaceId, next, publishes)] : []),
  ]
}

function requested(workspaceId: string, { dueAt }: Due, publishes: Approval['publishes']): PostEvent {
  return { type: 'ApprovalRequested', data: { workspaceId, dueAt, publishes } }
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

/** @throws Refusal not_found; failed_precondition when it is no longer pending */
export function mustBePending(state: PostState): ScheduledPost {
  if (isQueued(state)) {
    throw new Refusal('failed_precondition', 'Too late: the post is already being published or has been published.')
  }
  if (state.status === 'absent') throw new Refusal('not_found', 'No such scheduled post.')
  if (state.status === 'cancelled') throw new Refusal('failed_precondition', 'The scheduled post was cancelled.')
  return state
}

/** @throws Refusal invalid_request when the time has passed */
export function mustBeAhead({ dueAt }: Due, now: number, fields: string): void {
  if (Date.parse(dueAt) > now) return
  throw new Refusal('invalid_request', `${fields} must be in the future; ${dueAt} has passed`)
}
