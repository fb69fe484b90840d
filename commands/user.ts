import { Refusal } from '../domain/core/errors.ts'
import type { UserRole } from '../domain/workspace/role.ts'
import type { UserEvent, UserState } from '../domain/workspace/user.ts'

export type CreateUser = Extract<UserEvent, { type: 'UserCreated' }>['data']

/** @throws Refusal failed_precondition when the name is taken, in this workspace or another */
export function createUser(state: UserState, command: CreateUser): readonly UserEvent[] {
  if (state.status === 'active') {
    throw new Refusal('failed_precondition', `A user named ${state.name} already exists.`)
  }
  return [{ type: 'UserCreated', data: command }]
}

/**
 * @param expected id of the password given as the current one; absent when the caller need not know it
 * @throws Refusal not_found, failed_precondition when the password has changed in the meantime
 */
export function changePassword(state: UserState, passwordId: string, expected?: string): readonly UserEvent[] {
  const { passwordId: current } = mustBeActive(state)
  if (expected !== undefined && expected !== current) {
    throw new Refusal('failed_precondition', 'The password has just been changed. Sign in again.')
  }
  return [{ type: 'UserPasswordChanged', data: { passwordId } }]
}

/** @throws Refusal not_found */
export function changeRole(state: UserState, role: UserRole): readonly UserEvent[] {
  const { workspaceId, role: before } = mustBeActive(state)
  return role === before ? [] : [{ type: 'UserRoleChanged', data: { workspaceId, role } }]
}

/** @throws Refusal not_found */
export function removeUser(state: UserState): readonly UserEvent[] {
  mustBeActive(state)
  return [{ type: 'UserRemoved', data: {} }]
}

/** @throws Refusal not_found */
export function mustBeActive(state: UserState): Exclude<UserState, { status: 'absent' }> {
  if (state.status === 'active') return state
  throw new Refusal('not_found', 'No such user.')
}
