import { ERASED } from '../../domain/core/personal-data.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import { user, type UserIdentity } from '../../domain/workspace/user.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  name: text(),
  passwordId: text(),
  role: text<UserRole>(),
  removed: boolean(),
  /** Of two-step sign-in, while it is on. */
  totpId: text<string | null>(),
  /** Of an open reset link. */
  resetLinkUntil: time<string | null>(),
  /** At the OpenID Connect provider. `position`: of its event. */
  identity: json<(UserIdentity & { readonly position: string }) | null>(),
  createdAt: time(),
}
export type UserRow = RowOf<typeof columns>

const ROW = rowFrom(columns)

/** Removed users are kept, because what they did is. */
export const users: Projection<UserRow> = {
  name: 'users',
  version: 6,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, id)', "((identity ->> 'subjectHash'))"],
  rowIds: (event) => (eventOf(user, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(user, recorded)
    switch (event?.type) {
      case 'UserCreated': {
        const { workspaceId, name, passwordId, role } = event.data
        const { at } = recorded.metadata
        const fresh = { removed: false, totpId: null, resetLinkUntil: null, identity: null, createdAt: at }
        return { id, workspaceId, name, passwordId, role, ...fresh }
      }
      case 'UserPasswordChanged':
        return row && { ...row, passwordId: event.data.passwordId, resetLinkUntil: null }
      case 'UserResetLinkCreated':
        return row && { ...row, resetLinkUntil: event.data.expiresAt }
      case 'UserResetLinkRevoked':
        return row && { ...row, resetLinkUntil: null }
      case 'UserTotpEnabled':
        return row && { ...row, totpId: event.data.totpId }
      case 'UserTotpDisabled':
        return row && { ...row, totpId: null }
      case 'UserRecoveryCodeUsed':
        return row
      case 'UserIdentityLinked':
        return row && { ...row, identity: { ...event.data, position: String(recorded.position) } }
      case 'UserIdentityUnlinked':
        return row && { ...row, identity: null }
      case 'UserRoleChanged':
        return row && { ...row, role: event.data.role }
      case 'UserRemoved':
        return row && { ...row, removed: true }
      case 'PersonalDataErased':
        return row && { ...row, name: ERASED, identity: null }
      case undefined:
        return row
    }
  },
}

/** A workspace's users, including removed ones. */
export async function listUsers(db: Database, workspaceId: string): Promise<readonly UserRow[]> {
  const sql = `select ${ROW} from read.users where workspace_id = $1 order by name`
  return (await db.query<UserRow>(sql, [workspaceId])).rows
}

/** Undefined for a removed user. */
export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  const sql = `select ${ROW} from read.users where id = $1 and not removed`
  return (await db.query<UserRow>(sql, [id])).rows[0]
}

/**
 * Who signs in with an identity: the user who linked it first, if several did at the same moment. A removed one only if nobody else
 * has it.
 */
export async function findByIdentity(db: Database, subjectHash: string): Promise<UserRow | undefined> {
  const sql = `select ${ROW} from read.users where identity ->> 'subjectHash' = $1
    order by removed, (identity ->> 'position')::numeric limit 1`
  return (await db.query<UserRow>(sql, [subjectHash])).rows[0]
}

/** Whether a workspace has another owner than this user. */
export async function hasOtherOwner(db: Database, { id, workspaceId }: UserRow): Promise<boolean> {
  const users = await listUsers(db, workspaceId)
  return users.some((other) => other.id !== id && other.role === 'owner' && !other.removed)
}
