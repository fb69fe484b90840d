import { Refusal } from '../domain/core/errors.ts'
import type { ApiKeyEvent, ApiKeyState } from '../domain/workspace/api-key.ts'
import { BUDGETS, type Budgets } from '../domain/workspace/budgets.ts'

/** Sets what a key may use up on each day, in place of what was set before. @throws Refusal not_found */
export function setBudgets(state: ApiKeyState, budgets: Budgets): readonly ApiKeyEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such API key.')
  const isSame = BUDGETS.every((budget) => state.budgets[budget] === budgets[budget])
  return isSame ? [] : [{ type: 'ApiKeyBudgetsSet', data: { budgets } }]
}
