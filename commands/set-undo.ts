import { Refusal } from '../domain/core/errors.ts'
import type { ApiKeyEvent, ApiKeyState } from '../domain/workspace/api-key.ts'
import type { WorkspaceEvent, WorkspaceState } from '../domain/workspace/workspace.ts'

/**
 * Sets how long posts that would be published at once can be taken back first. What waits already stays as it is.
 *
 * @throws Refusal not_found
 */
export function setUndo(state: WorkspaceState, seconds: number): readonly WorkspaceEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such workspace.')
  return (state.undoSeconds ?? 0) === seconds ? [] : [{ type: 'UndoSet', data: { seconds } }]
}

/** The same for what one key publishes. @param seconds undefined: as in the workspace @throws Refusal not_found */
export function setKeyUndo(state: ApiKeyState, seconds: number | undefined): readonly ApiKeyEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such API key.')
  if (state.undoSeconds === seconds) return []
  return [{ type: 'ApiKeyUndoSet', data: seconds === undefined ? {} : { seconds } }]
}
