import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { channel, type ChannelKind, type ChannelSettings } from '../../domain/notification/channel.ts'
import type { Topic } from '../../domain/notification/topic.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, json, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  /** Whose it is; null for one of the workspace. */
  userId: text<string | null>(),
  kind: text<ChannelKind>(),
  address: text(),
  status: text<'unconfirmed' | 'active'>(),
  label: text(),
  topics: json<readonly Topic[]>(),
  timezone: text(),
  quietHours: json<ChannelSettings['quietHours']>(),
  digestAt: text<string | null>(),
  /** The log position since which it is active: only later events are notified. */
  activePosition: bigint(),
  createdAt: time(),
}
export type ChannelRow = RowOf<typeof columns>

/** Notification channels: a removed one has no row. */
export const channels: Projection<ChannelRow> = {
  name: 'channels',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (event) => (eventOf(channel, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(channel, recorded)
    const activePosition = String(recorded.position)
    switch (event?.type) {
      case 'ChannelAdded': {
        const { needsConfirmation, userId = null, ...added } = event.data
        const status = needsConfirmation ? 'unconfirmed' : 'active'
        return { id, ...added, userId, status, activePosition, createdAt: recorded.metadata.at }
      }
      case 'ChannelConfirmed':
        return row && { ...row, status: 'active', activePosition }
      case 'ChannelChanged':
        return row && { ...row, ...event.data }
      case 'ChannelRemoved':
        return undefined
      case undefined:
        return row
    }
  },
}

const ROW = rowFrom(columns)

export async function findChannel(db: Database, id: string): Promise<ChannelRow | undefined> {
  const { rows } = await db.query<ChannelRow>(`select ${ROW} from read.channels where id = $1`, [id])
  return rows[0]
}

/** Those of a workspace, or of one user, newest first. */
export async function listChannels(
  db: Database,
  page: {
    readonly workspaceId: string
    /** Null: those of the workspace. */
    readonly userId: string | null
    readonly limit: number
    readonly after: { readonly at: string; readonly id: string } | undefined
  },
): Promise<readonly ChannelRow[]> {
  const { workspaceId, userId, limit, after } = page
  const { rows } = await db.query<ChannelRow>(
    `select ${ROW} from read.channels
     where workspace_id = $1 and user_id is not distinct from $2
       and ($3::timestamptz is null or (created_at, id) < ($3, $4))
     order by created_at desc, id desc limit $5`,
    [workspaceId, userId, after?.at ?? null, after?.id ?? null, limit],
  )
  return rows
}

/** The e-mail address that a user confirmed last, in any of these workspaces. */
export async function findMailbox(
  db: Database,
  workspaceIds: readonly string[],
  userId: string,
): Promise<ChannelRow | undefined> {
  const { rows } = await db.query<ChannelRow>(
    `select ${ROW} from read.channels
     where workspace_id = any($1) and user_id = $2 and kind = 'email' and status = 'active'
     order by active_position desc limit 1`,
    [workspaceIds, userId],
  )
  return rows[0]
}

/**
 * The active channels of some workspaces.
 *
 * @returns undefined when the read model has not reached `position`: channels that it does not know yet would miss notices
 */
export async function activeChannels(
  db: Database,
  workspaceIds: readonly string[],
  position: bigint,
): Promise<readonly ChannelRow[] | undefined> {
  const { rows } = await db.query<ChannelRow & { as_of: string }>(
    `select c.position as as_of, ${rowFrom(columns, 'n')} from read.checkpoints c
       left join read.channels n on n.workspace_id = any($1) and n.status = 'active'
     where c.name = 'channels'`,
    [workspaceIds],
  )
  const [first] = rows
  if (!first || BigInt(first.as_of) < position) return undefined
  // Without any channel there is one row of nulls.
  return rows.filter(({ id }) => id !== null)
}
