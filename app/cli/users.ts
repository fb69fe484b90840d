import { newResetLink } from '../../infra/runtime/reset-link.ts'
import { check } from '../../api/http/validation.ts'
import { handle, type Cause } from '../../commands/handle.ts'
import { createResetLink } from '../../commands/reset-link.ts'
import { disableTotp } from '../../commands/totp.ts'
import { changePassword, changeRole, createUser, removeUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import { newPassword, user, userIdOf, userName, type UserEvent, type UserState } from '../../domain/workspace/user.ts'
import { readableSecret } from '../../infra/runtime/readable-secret.ts'
import type { Core } from '../wiring/core.ts'
import { listUsers } from '../../projections/models/users.ts'
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

/** @param password generated if absent */
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
export async function changeRoleOf(core: Core, name: string, role: UserRole): Promise<{ id: string; role: UserRole }> {
  const id = userIdOf(name)
  await decided(core, id, commandLineCause(core.ids), (state) => changeRole(state, role))
  return { id, role }
}

/** @throws Refusal not_found */
export async function removeUserOf(core: Core, name: string): Promise<{ id: string; removed: true }> {
  const id = userIdOf(name)
  const { state } = await decided(core, id, commandLineCause(core.ids), removeUser)
  if (state.status !== 'absent') await core.passwords.forget(state.passwordId)
  if ('totpId' in state && state.totpId !== undefined) await core.vault.remove(state.totpId)
  return { id, removed: true }
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

async function decided(core: Core, id: string, cause: Cause, decide: (state: UserState) => readonly UserEvent[]) {
  const handled = await handle(core, user, id, cause, decide)
  await settled(core, handled)
  return handled
}
