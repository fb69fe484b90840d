import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { user } from '../../domain/workspace/user.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

export interface UserRow {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly password_id: string
  readonly removed: boolean
  readonly created_at: string
}

const COLUMNS = 'id, workspace_id, name, password_id, removed, created_at'

/** Removed users are kept, because what they did is. */
export const users: Projection<UserRow> = {
  name: 'users',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    name: 'text',
    password_id: 'text',
    removed: 'boolean',
    created_at: 'timestamptz',
  },
  makesAnew: atStreamStart,
  indexes: ['(workspace_id, id)'],
  rowIds: (event) => (eventOf(user, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(user, recorded)
    switch (event?.type) {
      case 'UserCreated': {
        const { workspaceId, name, passwordId } = event.data
        const created = { id, workspace_id: workspaceId, name, password_id: passwordId }
        return { ...created, removed: false, created_at: recorded.metadata.at }
      }
      case 'UserPasswordChanged':
        return row && { ...row, password_id: event.data.passwordId }
      case 'UserRemoved':
        return row && { ...row, removed: true }
      case undefined:
        return row
    }
  },
}

/** A workspace's users, including removed ones. */
export async function listUsers(db: Database, workspaceId: string): Promise<readonly UserRow[]> {
  const sql = `select ${COLUMNS} from read.users where workspace_id = $1 order by name`
  return (await db.query<UserRow>(sql, [workspaceId])).rows
}

/** Undefined for a removed user. */
export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  const sql = `select ${COLUMNS} from read.users where id = $1 and not removed`
  return (await db.query<UserRow>(sql, [id])).rows[0]
}
