import type { WorkspaceEvent, WorkspaceState } from '../domain/workspace/workspace.ts'

export function createWorkspace(state: WorkspaceState, command: { readonly name: string }): readonly WorkspaceEvent[] {
  return state.status === 'absent' ? [{ type: 'WorkspaceCreated', data: command }] : []
}
