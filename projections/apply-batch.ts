import type { Database } from '../database/pool.ts'
import type { RecordedEvent } from '../domain/event.ts'
import type { AnyProjection, Row } from './projection.ts'
import type { RecentRows } from './recent-rows.ts'
import { readRows } from './tables.ts'
import { writeBatch, type TableChange } from './write-batch.ts'

/** Signalled, with the position, after every commit of read-model rows. */
export const PROJECTED = 'fanfare_projected'

/** Another runner has moved a checkpoint: what this one believed about it is out of date. */
export class Overtaken extends Error {
  constructor() {
    super('another projector has moved the checkpoint')
    this.name = 'Overtaken'
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
  from: bigint,
  events: readonly RecordedEvent[],
  recent: RecentRows,
): Promise<bigint> {
  const to = events.at(-1)?.position ?? from
  try {
    const changes = await Promise.all(projections.map((projection) => changeOf(db, projection, events, recent)))
    if (!(await writeBatch(db, projections, { from, to }, changes))) throw new Overtaken()
    for (const { projection, written, gone } of changes) recent.keep(projection, written, gone)
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

async function changeOf(
  db: Database,
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  recent: RecentRows,
): Promise<TableChange> {
  const touched: Touch[] = []
  for (const event of events) {
    const ids = projection.rowIds(event)
    if (ids.length > 0) touched.push({ event, ids })
  }
  const before = await rowsBefore(db, projection, touched, recent)
  const after = new Map<string, Row | undefined>()
  for (const { event, ids } of touched) {
    for (const id of ids) {
      const row = after.has(id) ? after.get(id) : before.get(id)
      const next = projection.apply(row, event, id)
      if (next !== row) after.set(id, next)
    }
  }
  const written: Row[] = []
  const gone: string[] = []
  for (const [id, row] of after) {
    if (row) written.push(row)
    // One that came and went within the batch was never in the table.
    else if (before.has(id)) gone.push(id)
  }
  return { projection, written, gone }
}

/** The rows as they stand before the batch, of all that the batch does not make itself. */
async function rowsBefore(
  db: Database,
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
  if (unknown.size > 0) for (const row of await readRows(db, projection, [...unknown])) found.set(row.id, row)
  return found
}
