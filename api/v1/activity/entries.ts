import { parseStreamName, type RecordedEvent } from '../../../domain/core/event.ts'
import { causerOf, describeEvent } from '../../../domain/log/describe.ts'
import { disclosedTo } from '../../../domain/log/disclosed.ts'
import type { EventLog } from '../../../event-log/event-log.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import { activityId, placeInLog, type ActivityListRow } from '../../../projections/models/activity.ts'
import { actorName, namesIn, withNames, type Names } from '../../kit/names.ts'
import type { ActivityEntry } from './activity-schemas.ts'

interface Sources {
  readonly db: Database
  readonly log: Pick<EventLog, 'read'>
}

/** Pages of the dashboard, by category. Those with `:id` are of one thing. */
const LINKS: Readonly<Record<string, string>> = {
  ...{ post: '/posts/:id', draft: '/posts', media: '/library', workspace: '/slots', credits: '/credits' },
  ...{ video: '/videos', feed: '/feeds', feed_item: '/feeds', rule: '/recycling', account: '/accounts' },
  ...{ comment: '/inbox', reply: '/inbox', competitor: '/analytics', metrics: '/analytics' },
  ...{ webhook: '/webhooks/:id', channel: '/notifications', notification: '/notifications' },
  ...{ user: '/team', invitation: '/team', api_key: '/keys', erasure: '/privacy' },
}

/** What the rows stand for. @param readerId the id of the key or user who reads it */
export async function activityEntries(
  { db, log }: Sources,
  rows: readonly ActivityListRow[],
  { workspaceId, readerId }: { readonly workspaceId: string; readonly readerId: string | undefined },
): Promise<readonly ActivityEntry[]> {
  const [names, eventOf] = await Promise.all([namesIn(db, workspaceId), eventsOf(log, rows)])
  return rows.map((row) => entryOf(row, eventOf(row), names, readerId))
}

/** Reads each stream once, from the first of its events that is asked for. */
async function eventsOf(log: Pick<EventLog, 'read'>, rows: readonly ActivityListRow[]) {
  const first = new Map<string, number>()
  for (const { stream, revision } of rows.map(placeInLog)) {
    first.set(stream, Math.min(revision, first.get(stream) ?? revision))
  }
  const found = new Map(
    await Promise.all([...first].map(async ([stream, from]) => [stream, await log.read(stream, from)] as const)),
  )
  return (row: ActivityListRow): RecordedEvent => {
    const { stream, revision } = placeInLog(row)
    const event = found.get(stream)?.find((one) => one.revision === revision)
    if (!event) throw new Error(`${row.id} is not in the log`)
    return event
  }
}

function entryOf(
  row: ActivityListRow,
  event: RecordedEvent,
  names: Names,
  readerId: string | undefined,
): ActivityEntry {
  const { category, id } = parseStreamName(event.stream)
  const { requestId } = event.metadata
  const by = causerOf(event)
  const described = describeEvent(readerId === undefined ? event : disclosedTo(readerId, event))
  return {
    ...{ id: activityId(row), at: row.createdAt, kind: row.kind, type: event.type },
    by: { kind: row.actorKind, id: by.id, name: actorName(by, names) },
    summary: withNames(described, names),
    subject: {
      id,
      name: (id !== row.workspaceId && names.get(id)) || null,
      link: LINKS[category]?.replace(':id', id) ?? null,
    },
    ...(requestId !== undefined && { requestId }),
  }
}
