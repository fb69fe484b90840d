import type { Database } from '../database/pool.ts'
import type { RecordedEvent } from '../domain/event.ts'
import type { Generations, Schema } from './checkpoints.ts'
import type { AnyProjection, Row } from './projection.ts'
import type { RecentRows } from './recent-rows.ts'
import { readRows } from './tables.ts'
import { writeBatch, type TableChange } from './write-batch.ts'

/** Signalled, with the position, after every commit of read-model rows. */
export const PROJECTED = 'fanfare_projected'

/** Another runner has moved a checkpoint, or another table has taken a table's place: what this one believed about it is out of date. */
export class Overtaken extends Error {
  constructor() {
    super('another projector has moved the checkpoint, or the table was built anew')
    this.name = 'Overtaken'
  }
}

/** A projection met an event that it throws at. */
export class CanNotApply extends Error {
  constructor(projection: AnyProjection, event: RecordedEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${projection.name} can not apply ${event.type} at position ${event.position}: ${reason}`, { cause })
    this.name = 'CanNotApply'
  }
}

/**
 * Applies one batch of events to projections that all stand at `from`, rows and checkpoints in one statement, so each event
 * counts exactly once. The rows are read before it: they change with their checkpoint only, and the statement does nothing
 * when that has moved.
 *
 * @throws Overtaken when a checkpoint is not at `from` any more; nothing was written
 */
export async function applyBatch(
  db: Database,
  projections: readonly AnyProjection[],
  { position: from, generations }: { readonly position: bigint; readonly generations: Generations },
  events: readonly RecordedEvent[],
  recent: RecentRows,
): Promise<bigint> {
  const to = events.at(-1)?.position ?? from
  try {
    const changes = await changesOf(db, 'read', projections, events, recent)
    if (!(await writeBatch(db, projections, { from, to, generations, schema: 'read' }, changes))) throw new Overtaken()
    for (const change of changes) recent.keep(change)
    return to
  } catch (error) {
    recent.forget()
    throw error
  }
}

interface Touch {
  readonly event: RecordedEvent
  readonly ids: readonly string[]
}

/** What a batch of events makes of the tables, which stand before it. */
export function changesOf(
  db: Pick<Database, 'query'>,
  schema: Schema,
  projections: readonly AnyProjection[],
  events: readonly RecordedEvent[],
  recent: RecentRows,
): Promise<readonly TableChange[]> {
  return Promise.all(projections.map((projection) => changeOf(db, schema, projection, events, recent)))
}

async function changeOf(
  db: Pick<Database, 'query'>,
  schema: Schema,
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  recent: RecentRows,
): Promise<TableChange> {
  const touched: Touch[] = []
  for (const event of events) {
    const ids = tried(projection, event, () => projection.rowIds(event))
    if (ids.length > 0) touched.push({ event, ids })
  }
  const before = await rowsBefore(db, schema, projection, touched, recent)
  const after = new Map<string, Row | undefined>()
  for (const { event, ids } of touched) {
    for (const id of ids) {
      const row = after.has(id) ? after.get(id) : before.get(id)
      const next = tried(projection, event, () => projection.apply(row, event, id))
      if (next !== row) after.set(id, next)
    }
  }
  const [created, changed, gone]: [Row[], Row[], string[]] = [[], [], []]
  for (const [id, row] of after) {
    if (row) (before.has(id) ? changed : created).push(row)
    // One that came and went within the batch was never in the table.
    else if (before.has(id)) gone.push(id)
  }
  return { projection, events: touched.length, created, changed, gone }
}

function tried<T>(projection: AnyProjection, event: RecordedEvent, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new CanNotApply(projection, event, error)
  }
}

/** The rows as they stand before the batch, of all that the batch does not make itself. */
async function rowsBefore(
  db: Pick<Database, 'query'>,
  schema: Schema,
  projection: AnyProjection,
  touched: readonly Touch[],
  recent: RecentRows,
): Promise<ReadonlyMap<string, Row>> {
  const made = new Set<string>()
  const found = new Map<string, Row>()
  const unknown = new Set<string>()
  for (const { event, ids } of touched) {
    const { ofOneStream } = projection
    for (const id of ids) {
      const isOfOne = typeof ofOneStream === 'function' ? ofOneStream(id) : ofOneStream
      if (isOfOne && event.revision === 0) made.add(id)
      else if (!made.has(id) && !found.has(id)) {
        const row = recent.get(projection, id)
        if (row) found.set(id, row)
        else unknown.add(id)
      }
    }
  }
  if (unknown.size > 0) for (const row of await readRows(db, schema, projection, [...unknown])) found.set(row.id, row)
  return found
}
