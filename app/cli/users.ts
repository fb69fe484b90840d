import { newResetLink } from '../../infra/runtime/reset-link.ts'
import { check } from '../../api/http/validation.ts'
import { endMembership } from '../../api/kit/memberships.ts'
import { handle, load, type Cause } from '../../commands/handle.ts'
import { changeMemberRole, joinWorkspace, removeMember, roleIn } from '../../commands/member.ts'
import { createResetLink } from '../../commands/reset-link.ts'
import { disableTotp } from '../../commands/totp.ts'
import { changePassword, changeRole, createUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { member, memberIdOf, type MemberEvent, type MemberState } from '../../domain/workspace/member.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import { newPassword, user, userIdOf, userName, type UserEvent, type UserState } from '../../domain/workspace/user.ts'
import { readableSecret } from '../../infra/runtime/readable-secret.ts'
import type { Core } from '../wiring/core.ts'
import { listUsers, orphanedMembers, workspacesOf, type UserRow } from '../../projections/models/users.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** Of a generated password: 123 bits. */
const GROUPS = 5

/** `password` is set if it was generated here: it is shown once and never again. */
export interface CreatedUser {
  readonly id: string
  readonly name: string
  readonly role?: UserRole
  readonly password?: string
}

/**
 * A user who has an account already gets no password.
 *
 * @param password generated if absent
 */
export async function addUser(
  core: Core,
  {
    workspace,
    name,
    password,
    role = 'owner',
  }: {
    readonly workspace: string
    readonly name: string
    readonly password?: string | undefined
    readonly role?: UserRole
  },
): Promise<CreatedUser> {
  const id = userIdOf(check(userName, name, '<name>'))
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  if ((await load(core.log, user, id)).status === 'active') {
    if (password !== undefined) {
      throw new Refusal('failed_precondition', `A user named ${name} already exists: leave the password out.`)
    }
    if ((await roleIn(core.log, id, workspaceId)) !== undefined) {
      throw new Refusal('failed_precondition', `A user named ${name} is in the workspace already.`)
    }
    const joined = { workspaceId, userId: id, name, role }
    await decidedMember(core, memberIdOf(id, workspaceId), (state) => joinWorkspace(state, joined))
    return { id, name, role }
  }
  // The one who had the name before has lost them with the account.
  for (const memberId of await orphanedMembers(core.db, id)) await decidedMember(core, memberId, removeMember)
  const made = await givePassword(core, id, password, (state, passwordId) =>
    createUser(state, { workspaceId, name, passwordId, role }),
  )
  return { id, name, role, ...made }
}

/** @throws Refusal not_found */
export async function resetPassword(core: Core, name: string, password?: string): Promise<CreatedUser> {
  const id = userIdOf(name)
  return { id, name, ...(await givePassword(core, id, password, changePassword)) }
}

/** The link is shown once and never again. @throws Refusal not_found */
export async function makeResetLink(core: Core, name: string) {
  const id = userIdOf(name)
  const { link, data } = newResetLink(
    core.reachedAt.url,
    id,
    derivedId('reset-link', core.ids.token()),
    core.clock.now(),
  )
  await decided(core, id, commandLineCause(core.ids), (state) => createResetLink(state, data))
  return { id, expiresAt: data.expiresAt, link }
}

export async function usersOf(core: Core, workspace: string) {
  const { id } = await oneWorkspace(core, workspace)
  return (await listUsers(core.db, id))
    .filter(({ removed }) => !removed)
    .map(({ id, name, role, createdAt }) => ({ id, name, role, createdAt }))
}

/** May take the role from the last owner, and give it back: the command line may do everything. @throws Refusal not_found */
export async function changeRoleOf(
  core: Core,
  name: string,
  role: UserRole,
  workspace?: string,
): Promise<{ id: string; role: UserRole }> {
  const { id, memberId } = await placeOf(core, name, workspace)
  if (memberId === id) await decided(core, id, commandLineCause(core.ids), (state) => changeRole(state, role))
  else await decidedMember(core, memberId, (state) => changeMemberRole(state, role))
  return { id, role }
}

/** @throws Refusal not_found */
export async function removeUserOf(
  core: Core,
  name: string,
  workspace?: string,
): Promise<{ id: string; removed: true }> {
  const place = await placeOf(core, name, workspace)
  await removeFrom(core, place)
  return { id: place.id, removed: true }
}

/** Removes a user from one workspace. @throws Refusal not_found */
export async function removeFrom(core: Core, { id, memberId }: Pick<UserRow, 'id' | 'memberId'>): Promise<void> {
  const { log, clock, db, passwords, vault } = core
  const shown = async () => settled(core, { position: await log.head() })
  await endMembership({ log, clock, db, passwords, vault, shown }, { id, memberId }, commandLineCause(core.ids))
}

/** @throws Refusal not_found, failed_precondition when the user is in several workspaces and none of them is named */
async function placeOf(
  core: Core,
  name: string,
  workspace: string | undefined,
): Promise<Pick<UserRow, 'id' | 'memberId'>> {
  const id = userIdOf(name)
  const places = await workspacesOf(core.db, id)
  if (workspace !== undefined) {
    const { id: workspaceId } = await oneWorkspace(core, workspace)
    const place = places.find((one) => one.workspaceId === workspaceId)
    if (!place) throw new Refusal('not_found', 'No such user in this workspace.')
    return place
  }
  const [place = { id, memberId: id }, ...others] = places
  if (others.length === 0) return place
  const named = places.map(({ workspaceId }) => workspaceId).join(', ')
  throw new Refusal('failed_precondition', `${name} is in several workspaces (${named}). Name one with --workspace.`)
}

/** @throws Refusal not_found */
export async function disableTotpOf(core: Core, name: string): Promise<{ id: string; disabled: boolean }> {
  const id = userIdOf(name)
  let before: string | undefined
  await decided(core, id, commandLineCause(core.ids), (state) => {
    before = 'totpId' in state ? state.totpId : undefined
    return disableTotp(state)
  })
  if (before !== undefined) await core.vault.remove(before)
  return { id, disabled: before !== undefined }
}

/**
 * Stores a password, then lets an event decide on it: if it is refused, the new password is deleted, otherwise the previous one.
 * If it is unknown whether the event was written, both are kept.
 */
async function givePassword(
  core: Core,
  id: string,
  given: string | undefined,
  decide: (state: UserState, passwordId: string) => readonly UserEvent[],
): Promise<{ readonly password?: string }> {
  const password = given === undefined ? readableSecret(GROUPS) : check(newPassword, given, 'the password')
  const passwordId = derivedId('password', core.ids.token())
  await core.passwords.put(passwordId, password)
  let before: string | undefined
  try {
    await decided(core, id, commandLineCause(core.ids), (state) => {
      before = 'passwordId' in state ? state.passwordId : undefined
      return decide(state, passwordId)
    })
  } catch (error) {
    if (error instanceof Refusal) await core.passwords.forget(passwordId)
    throw error
  }
  if (before !== undefined) await core.passwords.forget(before)
  return given === undefined ? { password } : {}
}

async function decidedMember(core: Core, id: string, decide: (state: MemberState) => readonly MemberEvent[]) {
  await settled(core, await handle(core, member, id, commandLineCause(core.ids), decide))
}

async function decided(core: Core, id: string, cause: Cause, decide: (state: UserState) => readonly UserEvent[]) {
  const handled = await handle(core, user, id, cause, decide)
  await settled(core, handled)
  return handled
}
