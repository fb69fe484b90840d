import { PERMISSIONS } from '../../../domain/workspace/role.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { CommentFilter } from '../../../projections/models/comments.ts'
import { listUsers, type UserRow } from '../../../projections/models/users.ts'
import type { Caller } from '../../http/route.ts'

/** Whether comments can be assigned to users with this role: those who may reply. */
export function mayBeAssigned(role: UserRow['role']): boolean {
  return PERMISSIONS[role].includes('comments:write')
}

/**
 * Names of those to whom comments of a workspace can be assigned, by id. What is assigned to anybody else, such as to somebody who
 * has left, counts as assigned to nobody.
 */
export async function assigneesOf(db: Database, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const users = await listUsers(db, workspaceId)
  return new Map(users.flatMap(({ id, name, role, removed }) => (removed || !mayBeAssigned(role) ? [] : [[id, name]])))
}

/** @param asked a user's id, `me` or `none` */
export async function assignedTo(
  db: Database,
  asked: string | undefined,
  { workspaceId, actor }: Caller,
): Promise<Pick<CommentFilter, 'assignedTo' | 'assignedToNoneOf'>> {
  if (asked === undefined) return {}
  const ids = [...(await assigneesOf(db, workspaceId)).keys()]
  if (asked === 'none') return { assignedToNoneOf: ids }
  const wanted = asked === 'me' ? actor.id : asked
  return { assignedTo: ids.filter((id) => id === wanted) }
}
