import type { Database } from '../../infra/postgres/pool.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Generations } from './checkpoints.ts'
import { createFold, type ReadRows } from './fold.ts'
import { apart, type AnyProjection } from './projection.ts'
import type { RecentRows } from './recent-rows.ts'
import { readRows } from './tables.ts'
import { writeBatch, type TableChange } from './write-batch.ts'

/** Sent as a signal with the position, after every commit of read-model rows. */
export const PROJECTED = 'fanfare_projected'

/** Tables that are read at once: more would only take connections from requests and reactors. */
const READS_AT_ONCE = 4

/** Another projector moved a checkpoint or a table was replaced: this one's state is stale. */
export class Overtaken extends Error {
  constructor() {
    super('another projector has moved the checkpoint, or the table was rebuilt')
    this.name = 'Overtaken'
  }
}

/**
 * Applies a batch of events to projections that are all at one position. Rows and checkpoints are written in one statement
 * (several, if a workspace is erased), so each event counts exactly once. Rows are read beforehand: they change only together with their checkpoint, and the statement does
 * nothing if that has moved.
 *
 * @returns what was written
 * @throws Overtaken when a checkpoint has moved; nothing more was written
 */
export async function applyBatch(
  db: Database,
  projections: readonly AnyProjection[],
  { position, generations }: { readonly position: bigint; readonly generations: Generations },
  events: readonly RecordedEvent[],
  recent: RecentRows,
): Promise<readonly TableChange[]> {
  let from = position
  const written: TableChange[] = []
  try {
    for (const part of apart(events)) {
      const to = part.at(-1)?.position ?? from
      const read: ReadRows = (projection, ids) => readRows(db, 'read', projection, ids)
      const fold = createFold(read, projections, recent, READS_AT_ONCE)
      await fold.take(part)
      const changes = fold.changes()
      if (!(await writeBatch(db, projections, { from, to, generations, schema: 'read' }, changes)))
        throw new Overtaken()
      for (const change of changes) recent.keep(change)
      written.push(...changes)
      from = to
    }
    return written
  } catch (error) {
    recent.forget()
    throw error
  }
}
