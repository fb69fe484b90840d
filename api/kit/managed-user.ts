import { Refusal } from '../../domain/core/errors.ts'
import { mayManage, type UserRole } from '../../domain/workspace/role.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { findUser, type UserRow } from '../../projections/models/users.ts'
import type { Caller } from '../http/route.ts'
import { owned } from './owned.ts'

/** What an API key manages at most: a key outlives the user who made it. */
const ROLE_OF_KEYS: UserRole = 'manager'

/** A user whom the caller may change. @throws Refusal */
export async function managedUser(db: Database, id: string, caller: Caller): Promise<UserRow> {
  const row = owned(await findUser(db, id), caller, 'user')
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
