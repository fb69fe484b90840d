import { Refusal } from '../domain/core/errors.ts'
import type { UserRole } from '../domain/workspace/role.ts'
import type { ActiveUser, UserEvent, UserState } from '../domain/workspace/user.ts'

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

/** In the workspace where the account began. @throws Refusal not_found */
export function changeRole(state: UserState, role: UserRole): readonly UserEvent[] {
  const { workspaceId, role: before } = mustBeThere(state)
  return role === before ? [] : [{ type: 'UserRoleChanged', data: { workspaceId, role } }]
}

/** Removes the user from the workspace where the account began, which goes on in others. @throws Refusal not_found */
export function leaveWorkspace(state: UserState): readonly UserEvent[] {
  const { workspaceId } = mustBeThere(state)
  return [{ type: 'UserLeftWorkspace', data: { workspaceId } }]
}

/** Ends the account. @throws Refusal not_found */
export function removeUser(state: UserState): readonly UserEvent[] {
  mustBeActive(state)
  return [{ type: 'UserRemoved', data: {} }]
}

/** @throws Refusal not_found */
export function mustBeActive(state: UserState): ActiveUser {
  if (state.status === 'active') return state
  throw noSuchUser()
}

function mustBeThere(state: UserState): ActiveUser {
  const active = mustBeActive(state)
  if (active.hasLeft) throw noSuchUser()
  return active
}

export function noSuchUser(): Refusal {
  return new Refusal('not_found', 'No such user.')
}
