import { Refusal } from '../domain/core/errors.ts'
import type { WorkspaceEvent, WorkspaceState } from '../domain/workspace/workspace.ts'

export function createWorkspace(state: WorkspaceState, command: { readonly name: string }): readonly WorkspaceEvent[] {
  return state.status === 'absent' ? [{ type: 'WorkspaceCreated', data: command }] : []
}

/** @throws Refusal not_found */
export function renameWorkspace(state: WorkspaceState, name: string): readonly WorkspaceEvent[] {
  if (state.status !== 'active') throw new Refusal('not_found', 'No such workspace.')
  return state.name === name ? [] : [{ type: 'WorkspaceRenamed', data: { name } }]
}
