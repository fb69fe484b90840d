import type { AccountEvent, AccountState } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'

export type ConnectAccount = Extract<AccountEvent, { type: 'AccountConnected' }>['data']

/** @throws Refusal forbidden when the id belongs to another workspace or another account of the platform */
export function connectAccount(state: AccountState, command: ConnectAccount): readonly AccountEvent[] {
  if (
    state.status !== 'absent' &&
    (state.workspaceId !== command.workspaceId ||
      state.platform !== command.platform ||
      state.externalId !== command.externalId)
  ) {
    throw new Refusal('forbidden', 'This account id belongs to another account.')
  }
  return [{ type: 'AccountConnected', data: command }]
}
