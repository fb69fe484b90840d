import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { user, type UserIdentity } from '../../domain/workspace/user.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { boolean, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'
import { memberColumns } from './members.ts'

const columns = {
  id: text(),
  passwordId: text(),
  /** Of two-step sign-in, while it is on. */
  totpId: text<string | null>(),
  /** Of an open reset link. */
  resetLinkUntil: time<string | null>(),
  /** At the OpenID Connect provider. `position`: of its event. */
  identity: json<(UserIdentity & { readonly position: string }) | null>(),
  /** Kept with its identity, so that somebody who was removed does not join again by their groups. */
  ended: boolean(),
  beganIn: text(),
  /** Where it began, once it has ended: the row is erased together with that workspace. */
  workspaceId: text<string | null>(),
}
type AccountRow = RowOf<typeof columns>

/** The accounts with which users sign in: they belong to no workspace, so that the end of one does not take the others. */
export const users: Projection<AccountRow> = {
  name: 'users',
  version: 7,
  columns,
  createsRow: atStreamStart,
  indexes: ["((identity ->> 'subjectHash'))"],
  rowIds: (event) => (eventOf(user, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(user, recorded)
    switch (event?.type) {
      case 'UserCreated': {
        const { passwordId, workspaceId: beganIn } = event.data
        const fresh = { totpId: null, resetLinkUntil: null, identity: null, ended: false, workspaceId: null }
        return { id, passwordId, beganIn, ...fresh }
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
      case 'UserIdentityLinked':
        return row && { ...row, identity: { ...event.data, position: String(recorded.position) } }
      case 'UserIdentityUnlinked':
        return row && { ...row, identity: null }
      case 'UserRemoved':
        return row?.identity
          ? { ...row, passwordId: '', totpId: null, resetLinkUntil: null, ended: true, workspaceId: row.beganIn }
          : undefined
      case 'PersonalDataErased':
        return row?.ended ? undefined : row && { ...row, identity: null }
      default:
        return row
    }
  },
}

/** A user in one workspace. */
export interface UserRow extends Omit<AccountRow, 'ended' | 'beganIn' | 'workspaceId'> {
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
const ROW = `select m.user_id as id, m.id as "memberId", ${rowFrom(ofMember, 'm')}, m.removed or u.id is null or u.ended as removed,
    coalesce(u.password_id, '') as "passwordId", u.totp_id as "totpId", u.reset_link_until as "resetLinkUntil", u.identity
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
  const sql = `${ROW} where m.user_id = $1 and not m.removed and not u.ended order by m.created_at, m.id`
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

/**
 * Who signs in with an identity: the user who linked it first, if several did at the same moment. One whose account has ended only
 * if nobody else has it. `joined`: with it, because of a group.
 */
export async function findByIdentity(
  db: Database,
  subjectHash: string,
): Promise<{ readonly id: string; readonly ended: boolean; readonly joined: boolean } | undefined> {
  const sql = `select id, ended, (identity ->> 'joined')::boolean as joined from read.users
    where identity ->> 'subjectHash' = $1 order by ended, (identity ->> 'position')::numeric limit 1`
  return (await db.query<{ id: string; ended: boolean; joined: boolean }>(sql, [subjectHash])).rows[0]
}

/** Whether a workspace has another owner than this user. */
export async function hasOtherOwner(db: Database, { id, workspaceId }: UserRow): Promise<boolean> {
  const users = await listUsers(db, workspaceId)
  return users.some((other) => other.id !== id && other.role === 'owner' && !other.removed)
}
