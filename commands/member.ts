import { Refusal } from '../domain/core/errors.ts'
import { member, memberIdOf, type Joined, type MemberEvent, type MemberState } from '../domain/workspace/member.ts'
import type { UserRole } from '../domain/workspace/role.ts'
import { beganIn, user } from '../domain/workspace/user.ts'
import { load, type CommandDeps } from './handle.ts'
import { noSuchUser } from './user.ts'

/** Joining again by the same invitation is a no-op. @throws Refusal failed_precondition when the user is in the workspace */
export function joinWorkspace(state: MemberState, command: Joined): readonly MemberEvent[] {
  const { invitationId } = command
  if (invitationId !== undefined && hasUsed(state, invitationId)) return []
  if (state.status === 'active') throw alreadyThere()
  return [{ type: 'MemberJoined', data: command }]
}

/** @throws Refusal not_found */
export function changeMemberRole(state: MemberState, role: UserRole): readonly MemberEvent[] {
  const { workspaceId, role: before } = mustBeMember(state)
  return role === before ? [] : [{ type: 'MemberRoleChanged', data: { workspaceId, role } }]
}

/** @throws Refusal not_found */
export function removeMember(state: MemberState): readonly MemberEvent[] {
  mustBeMember(state)
  return [{ type: 'MemberRemoved', data: {} }]
}

/** Whether the user has ever joined by this invitation. */
export function hasUsed(state: MemberState, invitationId: string): boolean {
  return state.status !== 'absent' && state.invitationIds.includes(invitationId)
}

export function alreadyThere(): Refusal {
  return new Refusal('failed_precondition', 'You are in this workspace already.')
}

/** What a user is in a workspace, by the log; undefined when they are not in it. */
export async function roleIn(
  log: CommandDeps['log'],
  userId: string,
  workspaceId: string,
): Promise<UserRole | undefined> {
  const account = await load(log, user, userId)
  if (account.status !== 'active') return undefined
  if (beganIn(account, workspaceId)) return account.role
  const state = await load(log, member, memberIdOf(userId, workspaceId))
  return state.status === 'active' ? state.role : undefined
}

function mustBeMember(state: MemberState): Exclude<MemberState, { status: 'absent' }> {
  if (state.status === 'active') return state
  throw noSuchUser()
}
