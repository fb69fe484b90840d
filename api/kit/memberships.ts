import { handle, type Cause, type CommandDeps, type Handled } from '../../commands/handle.ts'
import { removeMember } from '../../commands/member.ts'
import { leaveWorkspace, removeUser } from '../../commands/user.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { member } from '../../domain/workspace/member.ts'
import { mayManage } from '../../domain/workspace/role.ts'
import { user, type UserState } from '../../domain/workspace/user.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { progressOf } from '../../projections/engine/tables.ts'
import { members } from '../../projections/models/members.ts'
import { users, workspacesOf, type UserRow } from '../../projections/models/users.ts'
import type { Services } from './services.ts'

const SHOWN_WITHIN_MS = 5_000
const RETRY_AFTER_S = 5

/** Waits until the read models show who is in which workspace now. @throws Refusal resource_exhausted */
export async function mustBeShown({ db, log, seen }: Pick<Services, 'db' | 'log' | 'seen'>): Promise<void> {
  const isShown = await seen.waitFor(await log.head(), SHOWN_WITHIN_MS)
  const { halted } = isShown ? await progressOf(db) : { halted: {} }
  if (isShown && ![users, members].some(({ name }) => Object.hasOwn(halted, name))) return
  throw new Refusal('resource_exhausted', `The users cannot be looked up yet. Try again in ${RETRY_AFTER_S} s.`, {
    retryAfterS: RETRY_AFTER_S,
  })
}

/**
 * Whether somebody may manage a user in every workspace that this user is in. Only they may do what gives them the account, such as
 * to make a link that resets its password: an owner of one workspace could otherwise get into the others.
 */
export async function mayManageAccount(db: Database, managerId: string, userId: string): Promise<boolean> {
  const [own, theirs] = await Promise.all([workspacesOf(db, managerId), workspacesOf(db, userId)])
  const roleIn = (workspaceId: string) => own.find((one) => one.workspaceId === workspaceId)?.role
  return (
    theirs.length > 0 &&
    theirs.every(({ workspaceId, role }) => {
      const manager = roleIn(workspaceId)
      return manager !== undefined && mayManage(manager, role)
    })
  )
}

export interface MembershipDeps extends CommandDeps {
  readonly db: Database
  readonly passwords: { forget(id: string): Promise<void> }
  readonly vault: Pick<Vault, 'remove'>
  /** Waits until the read models show what is in the log now. */
  shown(): Promise<void>
}

/**
 * Removes a user from a workspace. The account stays as long as they are in another one, and otherwise ends, with its password and its
 * second step.
 *
 * @throws Refusal not_found
 */
export async function endMembership(
  deps: MembershipDeps,
  { id, memberId }: Pick<UserRow, 'id' | 'memberId'>,
  cause: Cause,
): Promise<void> {
  const { db, shown } = deps
  const isOwnStream = memberId === id
  await shown()
  const isLast = (await workspacesOf(db, id)).every((one) => one.memberId === memberId)
  if (isOwnStream && isLast) return forgetAccount(deps, await handle(deps, user, id, cause, removeUser))
  if (isOwnStream) await handle(deps, user, id, cause, leaveWorkspace)
  else await handle(deps, member, memberId, cause, removeMember)
  await shown()
  // Somebody may be removing them from the others at the same moment.
  if ((await workspacesOf(db, id)).length > 0) return
  const own = { ...cause, commandId: `${cause.commandId} account` }
  await forgetAccount(
    deps,
    await handle(deps, user, id, own, (state) => (state.status === 'active' ? removeUser(state) : [])),
  )
}

async function forgetAccount(
  { passwords, vault, shown }: MembershipDeps,
  { state }: Handled<UserState>,
): Promise<void> {
  await shown()
  if (state.status !== 'removed') return
  await passwords.forget(state.passwordId)
  if (state.totpId !== undefined) await vault.remove(state.totpId)
}
