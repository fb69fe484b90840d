import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { invitation } from '../../domain/workspace/invitation.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  role: text<UserRole>(),
  label: text(),
  /** Who invited: the id of a user, or the name of the account that ran the command. */
  invitedBy: text(),
  status: text<'open' | 'accepted' | 'revoked'>(),
  userId: text<string | null>(),
  expiresAt: time(),
  createdAt: time(),
}
export type InvitationRow = RowOf<typeof columns>

const ROW = rowFrom(columns)

export const invitations: Projection<InvitationRow> = {
  name: 'invitations',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(invitation, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(invitation, recorded)
    switch (event?.type) {
      case 'InvitationCreated': {
        const { secretHash: _, ...created } = event.data
        const { at, actor } = recorded.metadata
        return { id, ...created, invitedBy: actor.id, status: 'open', userId: null, createdAt: at }
      }
      case 'InvitationAccepted':
        return row && { ...row, status: 'accepted', userId: event.data.userId }
      case 'InvitationRevoked':
        return row && { ...row, status: 'revoked' }
      case undefined:
        return row
    }
  },
}

export async function findInvitation(db: Database, id: string): Promise<InvitationRow | undefined> {
  const { rows } = await db.query<InvitationRow>(`select ${ROW} from read.invitations where id = $1`, [id])
  return rows[0]
}

/** Those that can still be used, newest first. */
export async function openInvitations(
  db: Database,
  workspaceId: string,
  now: string,
): Promise<readonly InvitationRow[]> {
  const sql = `select ${ROW} from read.invitations
    where workspace_id = $1 and status = 'open' and expires_at > $2 order by created_at desc, id desc limit 200`
  return (await db.query<InvitationRow>(sql, [workspaceId, now])).rows
}
