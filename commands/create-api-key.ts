import { Refusal } from '../domain/core/errors.ts'
import { onlyProposes } from '../domain/core/scope.ts'
import type { ApiKeyEvent, ApiKeyState } from '../domain/workspace/api-key.ts'

export type CreateApiKey = Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data']

/** @throws Refusal invalid_request when the key could approve what it proposes */
export function createApiKey(
  state: ApiKeyState,
  command: CreateApiKey,
  { undoSeconds: seconds }: { readonly undoSeconds?: number | undefined } = {},
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
    ...(seconds === undefined ? [] : [{ type: 'ApiKeyUndoSet', data: { seconds } } as const]),
  ]
}
