import type { ApiKeyEvent, ApiKeyState } from '../domain/workspace/api-key.ts'
import { Refusal } from '../domain/core/errors.ts'

/** Revoking twice is a no-op. @throws Refusal not_found */
export function revokeApiKey(state: ApiKeyState): readonly ApiKeyEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such API key.')
  return state.status === 'active' ? [{ type: 'ApiKeyRevoked', data: {} }] : []
}
