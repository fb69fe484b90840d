import type { ApiKeyEvent, ApiKeyState } from '../domain/workspace/api-key.ts'

export type CreateApiKey = Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data']

export function createApiKey(state: ApiKeyState, command: CreateApiKey): readonly ApiKeyEvent[] {
  return state.status === 'absent' ? [{ type: 'ApiKeyCreated', data: command }] : []
}
