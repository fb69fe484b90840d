import { parseStreamName, UnreadableEvent, type RecordedEvent } from '../../domain/core/event.ts'
import { activityKindOf, actorKindOf, type ActivityKind, type ActorKind } from '../../domain/log/activity.ts'
import { causerOf } from '../../domain/log/describe.ts'
import { ownerOf, workspaceNamedBy } from '../../domain/log/belonging.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { bigint, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import { erasedWorkspace, type Projection } from '../engine/projection.ts'

const columns = {
  /** The stream and the revision. */
  id: text(),
  workspaceId: text(),
  kind: text<ActivityKind>(),
  actorKind: text<ActorKind | 'system'>(),
  actorId: text(),
  /** In the log. */
  position: bigint(),
  createdAt: time(),
}
export type ActivityRow = RowOf<typeof columns>
export type ActivityListRow = ActivityRow & { readonly actorKind: ActorKind }

const ID_PREFIX = 'act_'
const NEWEST_FIRST = 'created_at desc, position desc'

/**
 * What people, keys, agents and rules did in a workspace, without what it says: that is read from the log, so that it is worded as
 * everywhere else and an erasure needs no look at it here. The service itself does ten times as much, which each history has; of
 * that only the first event of a stream is here, because it names the workspace of the others.
 */
export const activity: Projection<ActivityRow> = {
  name: 'activity',
  version: 3,
  columns,
  createsRow: (event, id) => id === rowIdOf(event.stream, event.revision),
  indexes: [
    `(workspace_id, kind, ${NEWEST_FIRST}) where actor_kind <> 'system'`,
    `(workspace_id, actor_kind, ${NEWEST_FIRST}) where actor_kind <> 'system'`,
    `(workspace_id, actor_id, ${NEWEST_FIRST}) where actor_kind <> 'system'`,
  ],
  rowIds: (event) => {
    const isHere = event.revision === 0 || actorKindOf(event.metadata.actor) !== 'system'
    return isHere && kindOf(event) && !erasedWorkspace(event) ? [rowIdOf(event.stream, event.revision)] : []
  },
  alsoReads: (event) => (workspaceNamedBy(event) === undefined ? rowIdOf(ownerOf(event), 0) : undefined),
  apply: (_row, event, id, first) => {
    const kind = kindOf(event)
    const workspaceId = workspaceNamedBy(event) ?? first?.workspaceId
    if (workspaceId === undefined && event.revision === 0 && event.unreadable) {
      throw new UnreadableEvent(event, event.unreadable.reason, event.unreadable.isNewer)
    }
    if (!kind || workspaceId === undefined) return undefined
    const { at: createdAt } = event.metadata
    const actor = causerOf(event)
    const by = { actorKind: actorKindOf(actor), actorId: actor.id }
    return { id, workspaceId, kind, ...by, position: String(event.position), createdAt }
  },
}

function kindOf({ stream }: RecordedEvent): ActivityKind | undefined {
  return activityKindOf(parseStreamName(stream).category)
}

function rowIdOf(stream: string, revision: number): string {
  return `${stream}@${revision}`
}

/** Where in the log the event of a row is. */
export function placeInLog({ id }: Pick<ActivityRow, 'id'>): { readonly stream: string; readonly revision: number } {
  const at = id.lastIndexOf('@')
  return { stream: id.slice(0, at), revision: Number(id.slice(at + 1)) }
}

/** What readers call an entry. It sorts by position. */
export function activityId({ position }: Pick<ActivityRow, 'position'>): string {
  return `${ID_PREFIX}${position.padStart(20, '0')}`
}

export interface ActivityPage {
  readonly workspaceId: string
  readonly limit: number
  /** The last entry of the previous page: its time (ISO 8601 UTC) and `activityId`. */
  readonly after?: { readonly at: string; readonly id: string } | undefined
  readonly kinds: readonly ActivityKind[]
  readonly actor?: { readonly kinds: readonly ActorKind[] } | { readonly ids: readonly string[] } | undefined
  /** ISO 8601 UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What happened in a workspace, newest first: read by an index for each of the kinds or actors, then merged. */
export async function listActivity(db: Database, page: ActivityPage): Promise<readonly ActivityListRow[]> {
  const { workspaceId, limit, after, kinds, from = null, to = null } = page
  const { column, values } = indexFor(page)
  const { rows } = await db.query<ActivityListRow>(
    `select ${rowFrom(columns, 'a')} from unnest($2::text[]) as wanted, lateral (
       select * from read.activity
       where workspace_id = $1 and ${column} = wanted and actor_kind <> 'system' and kind = any($3)
         and ($4::timestamptz is null or (created_at, position) < ($4, $5::bigint))
         and ($6::timestamptz is null or created_at >= $6) and ($7::timestamptz is null or created_at <= $7)
       order by ${NEWEST_FIRST} limit $8
     ) as a
     order by a.created_at desc, a.position desc limit $8`,
    [workspaceId, values, kinds, after?.at ?? null, after?.id.slice(ID_PREFIX.length) ?? null, from, to, limit],
  )
  return rows
}

/** The column of the index to read, and its values. */
function indexFor({ kinds, actor }: ActivityPage) {
  if (!actor) return { column: 'kind', values: kinds }
  return 'ids' in actor ? { column: 'actor_id', values: actor.ids } : { column: 'actor_kind', values: actor.kinds }
}
