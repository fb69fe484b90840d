import { Refusal } from '../domain/core/errors.ts'
import {
  isQueued,
  type DeliveryContent,
  type DeliveryEvent,
  type DeliveryState,
  type LiveDelivery,
} from '../domain/webhook/delivery.ts'
import { ERASED } from '../domain/core/personal-data.ts'
import { nextTryAt } from '../domain/core/retry-ladder.ts'
import { asText } from '../domain/core/text.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { Superseded } from './superseded.ts'

/** The outcome of one attempt. */
export type AttemptResult = {
  /** Null when there was no response. */
  readonly statusCode: number | null
  readonly durationMs: number
} & (
  | { readonly ok: true }
  | {
      readonly ok: false
      /** Truncated to 200 characters when recorded. */
      readonly error: string
      readonly retryAfterMs?: number | undefined
    }
)

/** Queueing the same delivery again is a no-op. */
export function queueDelivery(state: DeliveryState, content: DeliveryContent): readonly DeliveryEvent[] {
  return isQueued(state) ? [] : [{ type: 'DeliveryQueued', data: content }]
}

/**
 * Resends a delivery with a full set of retries. No-op while its first attempt is still pending.
 *
 * @throws Refusal not_found when there is none, failed_precondition when its webhook was deleted or its content erased
 */
export function requestResend(state: DeliveryState): readonly DeliveryEvent[] {
  if (!isQueued(state)) throw new Refusal('not_found', 'No such delivery.')
  if (state.status === 'cancelled') throw new Refusal('failed_precondition', 'The webhook was deleted.')
  if (state.body === ERASED) throw new Refusal('failed_precondition', 'The content of the delivery was erased.')
  if (state.status === 'pending' && state.tries === 0) return []
  return [{ type: 'DeliveryResendRequested', data: { webhookId: state.webhookId } }]
}

/** A claimed attempt starts within this time (ms), or not at all. */
export const BEGIN_WITHIN_MS = 5_000
/** By then (ms) a claimed attempt is over: it includes the timeout of 15 s and some seconds of clock skew. */
const OVER_AFTER_MS = 30_000

/** Until when another worker may be running an attempt, ms since the epoch. */
export function underWayUntil({ startedAt }: LiveDelivery): number {
  return startedAt === undefined ? 0 : Date.parse(startedAt) + OVER_AFTER_MS
}

/**
 * Claims the next attempt.
 *
 * @param seen the delivery as it was when an attempt was due and none was running
 * @throws Superseded when it has moved on since
 */
export function startAttempt(state: DeliveryState, seen: LiveDelivery): readonly DeliveryEvent[] {
  if (!isPending(state) || !isStill(seen, state)) throw new Superseded()
  return [{ type: 'DeliveryStarted', data: { attempt: state.attempts + 1 } }]
}

/**
 * Records the outcome of an attempt, and when the next one is due. A failure is ignored when the delivery has moved on since
 * the attempt started: another worker was faster, or a resend was requested. A success counts while the delivery is pending.
 *
 * @param begun the delivery as it was when the attempt started
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

/** Cancels a delivery whose webhook was deleted. No-op when it has already ended. */
export function cancelDelivery(state: DeliveryState): readonly DeliveryEvent[] {
  return isPending(state) ? [{ type: 'DeliveryCancelled', data: {} }] : []
}

export function isPending(state: DeliveryState): state is LiveDelivery {
  return isQueued(state) && state.status === 'pending'
}

/** Each attempt increments `attempts`, each resend request resets `tries`, and each claim sets `startedAt`. */
function isStill(begun: LiveDelivery, state: LiveDelivery): boolean {
  return state.attempts === begun.attempts && state.tries === begun.tries && state.startedAt === begun.startedAt
}
