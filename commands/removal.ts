import type { NewRemoval, RemovalEvent, RemovalState } from '../domain/account/removal.ts'

/** Requesting the same removal again is a no-op. */
export function requestRemoval(state: RemovalState, command: NewRemoval): readonly RemovalEvent[] {
  return state.status === 'absent' ? [{ type: 'RemovalRequested', data: command }] : []
}

export function finishRemoval(state: RemovalState): readonly RemovalEvent[] {
  return state.status === 'running' ? [{ type: 'RemovalFinished', data: {} }] : []
}
