import { Refusal } from '../domain/core/errors.ts'
import type { Budgets } from '../domain/workspace/budgets.ts'
import { onlyProposes } from '../domain/core/scope.ts'
import type { ApiKeyEvent, ApiKeyState } from '../domain/workspace/api-key.ts'

export type CreateApiKey = Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data']

/** What a key is held to. */
export interface KeyLimits {
  readonly undoSeconds?: number | undefined
  readonly budgets?: Budgets | undefined
}

/** @throws Refusal invalid_request when the key could approve what it proposes */
export function createApiKey(
  state: ApiKeyState,
  command: CreateApiKey,
  { undoSeconds: seconds, budgets = {} }: KeyLimits = {},
): readonly ApiKeyEvent[] {
  if (onlyProposes(command.scopes) && command.scopes.includes('approvals:decide')) {
    throw new Refusal(
      'invalid_request',
      'scopes must not have both posts:propose and approvals:decide, without posts:write',
    )
  }
  if (state.status !== 'absent') return []
  return [
    { type: 'ApiKeyCreated', data: command },
    ...(Object.keys(budgets).length === 0 ? [] : [{ type: 'ApiKeyBudgetsSet', data: { budgets } } as const]),
    ...(seconds === undefined ? [] : [{ type: 'ApiKeyUndoSet', data: { seconds } } as const]),
  ]
}
