import { Refusal } from '../../domain/core/errors.ts'
import { mayManage, type UserRole } from '../../domain/workspace/role.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { workspacesOf, type UserRow } from '../../projections/models/users.ts'
import type { Caller } from '../http/route.ts'
import { owned } from './owned.ts'

/** What an API key manages at most: a key outlives the user who made it. */
const ROLE_OF_KEYS: UserRole = 'manager'

/** A user whom the caller may change, in the caller's workspace. @throws Refusal */
export async function managedUser(db: Database, id: string, caller: Caller): Promise<UserRow> {
  const places = await workspacesOf(db, id)
  const here = places.find(({ workspaceId }) => workspaceId === caller.workspaceId)
  const row = owned(here ?? places[0], caller, 'user')
  mustManage(caller, row.role)
  return row
}

/** Whether the caller may invite, change and remove users of this role. */
export function manages({ session, scopes }: Caller, other: UserRole): boolean {
  return scopes.includes('users:write') && mayManage(session?.user.role ?? ROLE_OF_KEYS, other)
}

/** @throws Refusal insufficient_scope */
export function mustManage(caller: Caller, other: UserRole): void {
  if (manages(caller, other)) return
  const who = caller.session ? `As ${caller.session.user.role}, you` : 'API keys'
  throw new Refusal('insufficient_scope', `${who} cannot manage users with the role ${other}. An owner can.`)
}
