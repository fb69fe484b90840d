import { Refusal } from '../domain/core/errors.ts'
import {
  isQueued,
  type DeliveryContent,
  type DeliveryEvent,
  type DeliveryState,
  type LiveDelivery,
} from '../domain/webhook/delivery.ts'
import { nextTryAt } from '../domain/core/retry-ladder.ts'
import { asText } from '../domain/core/text.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { Superseded } from './superseded.ts'

/** What one attempt came to. */
export type AttemptResult = {
  /** Null when there was no answer. */
  readonly statusCode: number | null
  readonly durationMs: number
} & (
  | { readonly ok: true }
  | {
      readonly ok: false
      /** Cut off at 200 characters. */
      readonly error: string
      readonly retryAfterMs?: number | undefined
    }
)

/** Queueing the same delivery again changes nothing. */
export function queueDelivery(state: DeliveryState, content: DeliveryContent): readonly DeliveryEvent[] {
  return isQueued(state) ? [] : [{ type: 'DeliveryQueued', data: content }]
}

/**
 * Has it sent once more, with all retries before it. Nothing when its first try is still to come.
 *
 * @throws Refusal not_found when there is none, failed_precondition when its webhook was deleted
 */
export function requestResend(state: DeliveryState): readonly DeliveryEvent[] {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such delivery.')
  if (state.status === 'cancelled') throw new Refusal('failed_precondition', 'The webhook was deleted.')
  if (state.status === 'pending' && state.tries === 0) return []
  return [{ type: 'DeliveryResendRequested', data: { webhookId: state.webhookId } }]
}

/** From its claim an attempt is begun within this time (ms), or not at all. */
export const BEGIN_WITHIN_MS = 5_000
/** After this it is surely over, its own time-out of 15 s included, also by a clock that is some seconds ahead. */
const OVER_AFTER_MS = 30_000

/** Until when another worker may be at it, ms since the epoch. */
export function underWayUntil({ startedAt }: LiveDelivery): number {
  return startedAt === undefined ? 0 : Date.parse(startedAt) + OVER_AFTER_MS
}

/**
 * Claims the next attempt. @param seen the delivery as it was when an attempt was due and none under way
 *
 * @throws Superseded when it has moved on since
 */
export function startAttempt(state: DeliveryState, seen: LiveDelivery): readonly DeliveryEvent[] {
  if (!isPending(state) || !isStill(seen, state)) throw new Superseded()
  return [{ type: 'DeliveryStarted', data: { attempt: state.attempts + 1 } }]
}

/**
 * Puts down what an attempt came to, and when the next one is due. A failure is nothing when the delivery has moved on since
 * the attempt was begun: another worker was faster, or somebody asked for it anew. A success is one as long as it is pending.
 *
 * @param begun the delivery as it was when the attempt was begun
 * @param delaysMs the retry ladder
 * @param now ms since the epoch, when the outcome was known
 */
export function recordAttempt(
  state: DeliveryState,
  { id, begun }: { readonly id: string; readonly begun: LiveDelivery },
  result: AttemptResult,
  delaysMs: readonly number[],
  now: number,
): readonly DeliveryEvent[] {
  if (!isPending(state)) return []
  const { statusCode, durationMs } = result
  const attempt = { attempt: state.attempts + 1, statusCode, durationMs }
  if (result.ok) return [{ type: 'DeliverySucceeded', data: attempt }]
  if (!isStill(begun, state)) return []
  const failure = { ...attempt, error: asText(result.error, 200) }
  const at = nextTryAt(delaysMs, { name: `${id} ${attempt.attempt}`, before: begun.tries, at: now, ...result })
  if (at === undefined) return [{ type: 'DeliveryFailed', data: failure }]
  const { webhookId } = begun
  return [{ type: 'DeliveryDeferred', data: { ...failure, webhookId, nextAttemptAt: isoTime(at) } }]
}

/** Ends a delivery whose webhook is gone. Nothing when it has ended already. */
export function cancelDelivery(state: DeliveryState): readonly DeliveryEvent[] {
  return isPending(state) ? [{ type: 'DeliveryCancelled', data: {} }] : []
}

export function isPending(state: DeliveryState): state is LiveDelivery {
  return isQueued(state) && state.status === 'pending'
}

/** Each attempt raises the one count, each wish for another sets back the other, each claim has its time. */
function isStill(begun: LiveDelivery, state: LiveDelivery): boolean {
  return state.attempts === begun.attempts && state.tries === begun.tries && state.startedAt === begun.startedAt
}
