import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'

/** Disconnecting twice is a no-op. @throws Refusal not_found */
export function disconnectAccount(state: AccountState): readonly AccountEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such account.')
  return state.status === 'connected' ? [{ type: 'AccountDisconnected', data: {} }] : []
}
