import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'
import { isoTime } from '../infra/runtime/clock.ts'

/** Between two looks that were asked for (ms). */
const LEAST_MS = 60_000

/**
 * Has an account's comments looked at: at once, or as soon as the last look that was asked for is a minute ago and the account
 * no longer rests. Nothing when such a look is still to come.
 *
 * @param now ms since the epoch
 * @throws Refusal failed_precondition when it is not connected, or has to be connected again
 */
export function requestCommentsCheck(state: AccountState, now: number): readonly AccountEvent[] {
  if (state.status !== 'connected') {
    throw new Refusal('failed_precondition', 'The account is no longer connected.')
  }
  if (state.needsReauth !== undefined) {
    throw new Refusal('failed_precondition', `The account has to be connected again. ${state.needsReauth}`)
  }
  const { checkAt, restsUntil } = state
  if (checkAt !== undefined && Date.parse(checkAt) > now) return []
  const earliest = [now]
  if (checkAt !== undefined) earliest.push(Date.parse(checkAt) + LEAST_MS)
  if (restsUntil !== undefined) earliest.push(Date.parse(restsUntil))
  return [{ type: 'CommentsCheckRequested', data: { checkAt: isoTime(Math.max(...earliest)) } }]
}
