import type { AccountEvent, AccountState, Automation } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'
import { hasConversations } from '../domain/core/platform.ts'

/**
 * Sets how new comments are handled from now on. Omitted fields stay as they are.
 *
 * @throws Refusal not_found, failed_precondition when the account is disconnected, not_supported when the platform's
 *   comments are not read
 */
export function setAutomation(state: AccountState, change: Partial<Automation>): readonly AccountEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such account.')
  if (state.status === 'disconnected') throw new Refusal('failed_precondition', 'The account is no longer connected.')
  if (!hasConversations(state.platform)) {
    throw new Refusal('not_supported', `Comments on ${state.platform} are not supported.`)
  }
  const { mode, instruction } = { ...state.automation, ...change }
  const isSame = mode === state.automation.mode && instruction === state.automation.instruction
  return isSame ? [] : [{ type: 'AutomationSet', data: { mode, instruction } }]
}
