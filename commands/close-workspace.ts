import { Refusal } from '../domain/core/errors.ts'
import type { WorkspaceEvent, WorkspaceState } from '../domain/workspace/workspace.ts'

/**
 * Requests the erasure of a workspace. Doing so twice is a no-op.
 *
 * @param name of the workspace, so that nobody erases the wrong one
 * @throws Refusal not_found, or invalid_request for another name
 */
export function closeWorkspace(state: WorkspaceState, name: string): readonly WorkspaceEvent[] {
  if (!('name' in state)) throw new Refusal('not_found', 'No such workspace.')
  if (state.name !== name) throw new Refusal('invalid_request', 'name is not that of this workspace')
  return state.status === 'active' ? [{ type: 'WorkspaceClosed', data: {} }] : []
}

export function eraseClosedWorkspace(state: WorkspaceState): readonly WorkspaceEvent[] {
  return state.status === 'closed' ? [{ type: 'WorkspaceErased', data: {} }] : []
}
