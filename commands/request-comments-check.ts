import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'
import { isoTime } from '../infra/runtime/clock.ts'

/** Minimum time between two requested checks (ms). */
const LEAST_MS = 60_000

/**
 * Requests a check of an account's comments: at once, or as soon as the last requested check is a minute ago and the account
 * no longer rests. No-op while a requested check is still pending.
 *
 * @param now ms since the epoch
 * @throws Refusal failed_precondition when the account is not connected, or has to be reconnected
 */
export function requestCommentsCheck(state: AccountState, now: number): readonly AccountEvent[] {
  if (state.status !== 'connected') {
    throw new Refusal('failed_precondition', 'The account is no longer connected.')
  }
  if (state.needsReauth !== undefined) {
    throw new Refusal('failed_precondition', `Connect the account again. ${state.needsReauth}`)
  }
  const { checkAt, restsUntil } = state
  if (checkAt !== undefined && Date.parse(checkAt) > now) return []
  const earliest = [now]
  if (checkAt !== undefined) earliest.push(Date.parse(checkAt) + LEAST_MS)
  if (restsUntil !== undefined) earliest.push(Date.parse(restsUntil))
  return [{ type: 'CommentsCheckRequested', data: { checkAt: isoTime(Math.max(...earliest)) } }]
}
