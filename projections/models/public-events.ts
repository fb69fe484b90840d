import {
  publicEventId,
  publicEventOf,
  type PublicEvent,
  type PublicEventName,
} from '../../domain/webhook/public-event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Projection } from '../engine/projection.ts'

export interface PublicEventRow {
  readonly id: string
  readonly workspace_id: string
  readonly event: PublicEventName
  readonly data: PublicEvent['data']
  /** Position in the log, used as the read cursor. */
  readonly position: string
  readonly created_at: string
}

/** Public events, for clients that poll. */
export const publicEvents: Projection<PublicEventRow> = {
  name: 'public_events',
  version: 1,
  columns: {
    id: 'text',
    workspace_id: 'text',
    event: 'text',
    data: 'json',
    position: 'bigint',
    created_at: 'timestamptz',
  },
  // Each event creates its own row.
  makesAnew: () => true,
  indexes: ['(workspace_id, event, position)'],
  rowIds: (recorded) => (publicEventOf(recorded) ? [publicEventId(recorded)] : []),
  apply: (row, recorded, id) => {
    const told = publicEventOf(recorded)
    if (!told) return row
    const [position, created_at] = [String(recorded.position), recorded.metadata.at]
    return { id, workspace_id: told.workspaceId, event: told.event, data: told.data, position, created_at }
  },
}

/** Events of the given kinds after a position, oldest first. Each kind is read by index, then merged. */
export async function listPublicEvents(
  db: Database,
  page: {
    readonly workspaceId: string
    readonly events: readonly PublicEventName[]
    readonly after: bigint
    readonly limit: number
  },
): Promise<readonly PublicEventRow[]> {
  const { rows } = await db.query<PublicEventRow>(
    `select e.* from unnest($2::text[]) as kind, lateral (
       select id, workspace_id, event, data, position, created_at from read.public_events
       where workspace_id = $1 and event = kind and position > $3
       order by position limit $4
     ) as e
     order by e.position limit $4`,
    [page.workspaceId, page.events, page.after.toString(), page.limit],
  )
  return rows
}
