import {
  publicEvents as publicEventsOf,
  type PublicEvent,
  type PublicEventName,
} from '../../domain/webhook/public-event.ts'
import { comment } from '../../domain/conversation/comment.ts'
import { reply } from '../../domain/conversation/reply.ts'
import { eventOf, type RecordedEvent } from '../../domain/core/event.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import type { Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  event: text<PublicEventName>(),
  data: json<PublicEvent['data']>(),
  /** Position in the log, used as the read cursor. */
  position: bigint(),
  createdAt: time(),
}
export type PublicEventRow = RowOf<typeof columns>

/** Public events, for clients that poll, until their personal data is erased. */
export const publicEvents: Projection<PublicEventRow> = {
  name: 'public_events',
  version: 3,
  columns,
  // Each public event creates its own row.
  createsRow: (recorded) => erasedIn(recorded).length === 0,
  indexes: ['(workspace_id, event, position)'],
  rowIds: (recorded) => [...publicEventsOf(recorded).map(({ id }) => id), ...erasedIn(recorded)],
  apply: (_row, recorded, id) => {
    const event = publicEventsOf(recorded).find((each) => each.id === id)
    return event && { ...event, position: String(recorded.position) }
  },
}

function erasedIn(recorded: RecordedEvent): readonly string[] {
  const event = eventOf(comment, recorded) ?? eventOf(reply, recorded)
  return event?.type === 'PersonalDataErased' ? event.data.publicEvents : []
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
    `select ${rowFrom(columns, 'e')} from unnest($2::text[]) as kind, lateral (
       select * from read.public_events
       where workspace_id = $1 and event = kind and position > $3
       order by position limit $4
     ) as e
     order by e.position limit $4`,
    [page.workspaceId, page.events, page.after.toString(), page.limit],
  )
  return rows
}
