import { Refusal } from '../../domain/core/errors.ts'
import { mayManage, type UserRole } from '../../domain/workspace/role.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { findUser, type UserRow } from '../../projections/models/users.ts'
import type { Caller } from '../http/route.ts'
import { owned } from '../kit/owned.ts'
import { sessionOf } from './session.ts'

/** A user whom the caller may change. @throws Refusal */
export async function managedUser(db: Database, id: string, caller: Caller): Promise<UserRow> {
  const row = owned(await findUser(db, id), caller, 'user')
  mustManage(caller, row.role)
  return row
}

/** @throws Refusal insufficient_scope */
export function mustManage(caller: Caller, other: UserRole): void {
  const { role: own } = sessionOf(caller).user
  if (mayManage(own, other)) return
  throw new Refusal('insufficient_scope', `As ${own}, you cannot manage users with the role ${other}. An owner can.`)
}
