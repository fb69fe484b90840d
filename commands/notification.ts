import { asText } from '../domain/core/text.ts'
import {
  MOST_NOTICES,
  type LiveNotification,
  type NotificationEvent,
  type NotificationState,
} from '../domain/notification/notification.ts'
import type { Slot } from '../domain/notification/schedule.ts'
import type { Notice } from '../domain/notification/topic.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { Superseded } from './superseded.ts'

/** The outcome of one attempt. */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'deferred'; readonly error: string; readonly retryAfterMs?: number | undefined }
  | {
      readonly kind: 'failed'
      readonly code: 'permanent' | 'unknown'
      readonly error: string
      /** Whether nothing can be sent there any more. */
      readonly isGone?: boolean
    }

/** How long (ms) an attempt may take. After it, nobody is making it any more. */
export const SEND_TIMEOUT_MS = 30_000
const OVER_AFTER_MS = 2 * SEND_TIMEOUT_MS

/** Adds a notice to the message of a slot. No-op when it has it, or has as many as fit. */
export function raiseNotice(
  state: NotificationState,
  {
    workspaceId,
    channelId,
    notice,
  }: { readonly workspaceId: string; readonly channelId: string; readonly notice: Notice },
  slot: Slot,
): readonly NotificationEvent[] {
  const of = { workspaceId, channelId, notice }
  if (state.status === 'absent') {
    return [{ type: 'NotificationRaised', data: { ...of, isFull: false, dueAt: isoTime(slot.dueAt) } }]
  }
  if (state.known.includes(notice.id)) return []
  const again = isoTime(slot.againAt)
  switch (state.status) {
    case 'sending':
      if (state.later.length >= MOST_NOTICES) return []
      return [{ type: 'NotificationRaised', data: { ...of, isFull: false, dueAt: again } }]
    case 'settled':
      return [{ type: 'NotificationRaised', data: { ...of, isFull: false, dueAt: again } }]
    case 'waiting': {
      if (state.hasMore) return []
      const isFull = state.notices.length >= MOST_NOTICES
      return [{ type: 'NotificationRaised', data: { ...of, isFull, dueAt: state.dueAt } }]
    }
  }
}

/** When (ms since the epoch) an attempt that has begun is certainly over. */
export function overAt({ startedAt }: LiveNotification): number {
  return startedAt === undefined ? 0 : Date.parse(startedAt) + OVER_AFTER_MS
}

/** Claims the next attempt. @throws Superseded when the message is not waiting any more, or not due yet */
export function startSending(state: NotificationState, now: number): readonly NotificationEvent[] {
  if (state.status !== 'waiting' || Date.parse(state.dueAt) > now) throw new Superseded()
  return [{ type: 'NotificationStarted', data: { attempt: state.attempts + 1 } }]
}

/** Records the outcome of the attempt that is in progress. No-op when it has one. */
export function recordSending(
  state: NotificationState,
  attempt: number,
  result: SendResult,
  policy: AttemptPolicy,
  now: number,
): readonly NotificationEvent[] {
  if (state.status !== 'sending' || state.attempts !== attempt) return []
  const next = state.later.length > 0 ? { nextAt: state.dueAt } : {}
  if (result.kind === 'sent') return [{ type: 'NotificationSent', data: { attempt, ...next } }]
  const error = asText(result.error, 500)
  if (result.kind === 'failed') {
    return [{ type: 'NotificationFailed', data: { attempt, error, code: result.code, ...next } }]
  }
  const retryAt = nextAttemptAt(policy, attempt, now, result.retryAfterMs)
  return retryAt === undefined
    ? [{ type: 'NotificationFailed', data: { attempt, error, code: 'gave_up', ...next } }]
    : [{ type: 'NotificationDeferred', data: { attempt, error, retryAt } }]
}

/** Ends a message whose channel is gone. No-op when nothing waits. */
export function dropNotification(state: NotificationState): readonly NotificationEvent[] {
  return state.status === 'waiting' ? [{ type: 'NotificationDropped', data: {} }] : []
}
