import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { user } from '../../domain/workspace/user.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'
import { memberColumns } from './members.ts'

const columns = {
  id: text(),
  passwordId: text(),
  /** Of two-step sign-in, while it is on. */
  totpId: text<string | null>(),
  /** Of an open reset link. */
  resetLinkUntil: time<string | null>(),
}
type AccountRow = RowOf<typeof columns>

/** The accounts with which users sign in: they belong to no workspace, so that the end of one does not take the others. */
export const users: Projection<AccountRow> = {
  name: 'users',
  version: 6,
  columns,
  createsRow: atStreamStart,
  indexes: [],
  rowIds: (event) => (eventOf(user, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(user, recorded)
    switch (event?.type) {
      case 'UserCreated':
        return { id, passwordId: event.data.passwordId, totpId: null, resetLinkUntil: null }
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
      case 'UserRemoved':
        return undefined
      default:
        return row
    }
  },
}

/** A user in one workspace. */
export interface UserRow extends AccountRow {
  /** Of the stream that says so: the same as `id` where the account began. */
  readonly memberId: string
  readonly workspaceId: string
  readonly name: string
  readonly role: RowOf<typeof memberColumns>['role']
  /** From the workspace. */
  readonly removed: boolean
  /** When they joined it. */
  readonly createdAt: string
}

const { id: _, userId: __, removed: ___, ...ofMember } = memberColumns
const ROW = `select m.user_id as id, m.id as "memberId", ${rowFrom(ofMember, 'm')}, m.removed or u.id is null as removed,
    coalesce(u.password_id, '') as "passwordId", u.totp_id as "totpId", u.reset_link_until as "resetLinkUntil"
  from read.members m left join read.users u on u.id = m.user_id`

/** A workspace's users, each once, including removed ones. */
export async function listUsers(db: Database, workspaceId: string): Promise<readonly UserRow[]> {
  const sql = `select * from (
      select distinct on (of.id) of.* from (${ROW} where m.workspace_id = $1) of order by of.id, of.removed, of."createdAt" desc
    ) one order by name, id`
  return (await db.query<UserRow>(sql, [workspaceId])).rows
}

/** The workspaces that a user is in, the one they joined first first. */
export async function workspacesOf(db: Database, userId: string): Promise<readonly UserRow[]> {
  const sql = `${ROW} where m.user_id = $1 and not m.removed and u.id is not null order by m.created_at, m.id`
  return (await db.query<UserRow>(sql, [userId])).rows
}

/** Who of a workspace is in another one, too. */
export async function usersElsewhere(db: Database, workspaceId: string): Promise<ReadonlySet<string>> {
  const sql = `select m.user_id as id from read.members m join read.members o on o.user_id = m.user_id
    where m.workspace_id = $1 and o.workspace_id <> $1 and not m.removed and not o.removed`
  return new Set((await db.query<{ id: string }>(sql, [workspaceId])).rows.map(({ id }) => id))
}

/** A user in the workspace that they joined first; undefined for one who is in none any longer. */
export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  const [first] = await workspacesOf(db, id)
  return first
}

/** Streams of members that have outlasted the account of their user. */
export async function orphanedMembers(db: Database, userId: string): Promise<readonly string[]> {
  const sql = 'select id from read.members where user_id = $1 and id <> $1 and not removed'
  return (await db.query<{ id: string }>(sql, [userId])).rows.map(({ id }) => id)
}
