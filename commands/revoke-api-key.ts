import type { ApiKeyEvent, ApiKeyState } from '../domain/api-key.ts'
import { Refusal } from '../domain/errors.ts'

/** @throws Refusal not_found. Revoking twice changes nothing. */
export function revokeApiKey(state: ApiKeyState): readonly ApiKeyEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such API key.')
  return state.status === 'active' ? [{ type: 'ApiKeyRevoked', data: {} }] : []
}
