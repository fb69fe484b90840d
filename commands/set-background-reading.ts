import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'

/**
 * Sets whether comments and metrics of an account are read on a schedule.
 *
 * @throws Refusal not_found, failed_precondition when the account is disconnected
 */
export function setBackgroundReading(state: AccountState, isOn: boolean): readonly AccountEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such account.')
  if (state.status === 'disconnected') throw new Refusal('failed_precondition', 'The account is no longer connected.')
  return state.readsInBackground === isOn ? [] : [{ type: 'BackgroundReadingSet', data: { isOn } }]
}
