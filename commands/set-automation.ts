import type { AccountEvent, AccountState, Automation } from '../domain/account/account.ts'
import { Refusal } from '../domain/core/errors.ts'
import { hasConversations } from '../domain/core/platform.ts'

/**
 * What is done about comments that come from now on. What is left out stays as it is.
 *
 * @throws Refusal not_found, failed_precondition when it is disconnected, not_supported when its comments are not read
 */
export function setAutomation(state: AccountState, change: Partial<Automation>): readonly AccountEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such account.')
  if (state.status === 'disconnected') throw new Refusal('failed_precondition', 'The account is disconnected.')
  if (!hasConversations(state.platform)) {
    throw new Refusal('not_supported', `Comments on ${state.platform} are neither read nor answered.`)
  }
  const { mode, instruction } = { ...state.automation, ...change }
  const isSame = mode === state.automation.mode && instruction === state.automation.instruction
  return isSame ? [] : [{ type: 'AutomationSet', data: { mode, instruction } }]
}
