import type { ClientBase } from 'pg'
import { transaction, type Database } from '../database/pool.ts'
import type { RecordedEvent } from '../domain/event.ts'
import type { AnyProjection, Row } from './projection.ts'
import { prepared, readRows, writeRows } from './tables.ts'

/** Signalled, with the position, after every commit of read-model rows. */
export const PROJECTED = 'fanfare_projected'

const MOVE = `
with moved as (update read.checkpoints set position = $1 where name = any($2) and position = $3 returning 1)
select count(*)::int as moved, pg_notify($4, $1::text) from moved`

/** Another runner has moved a checkpoint: what this one believed about it is out of date. */
export class Overtaken extends Error {
  constructor() {
    super('another projector has moved the checkpoint')
    this.name = 'Overtaken'
  }
}

/**
 * Applies one batch of events to projections that all stand at `from`, rows and checkpoints in one transaction, so each
 * event counts exactly once.
 *
 * @throws Overtaken when a checkpoint is not at `from` any more; nothing was written
 */
export async function applyBatch(
  db: Database,
  projections: readonly AnyProjection[],
  from: bigint,
  events: readonly RecordedEvent[],
): Promise<bigint> {
  const to = events.at(-1)?.position ?? from
  await transaction(db, async (client) => {
    // Waits for whoever else is at it. The signal goes out with the commit.
    const { rows } = await client.query<{ moved: number }>(
      prepared(MOVE, [to.toString(), projections.map(({ name }) => name), from.toString(), PROJECTED]),
    )
    if (rows[0]?.moved !== projections.length) throw new Overtaken()
    for (const projection of projections) await applyTo(client, projection, events)
  })
  return to
}

async function applyTo(client: ClientBase, projection: AnyProjection, events: readonly RecordedEvent[]): Promise<void> {
  const touched: { readonly event: RecordedEvent; readonly ids: readonly string[] }[] = []
  const all = new Set<string>()
  for (const event of events) {
    const ids = projection.rowIds(event)
    if (ids.length === 0) continue
    touched.push({ event, ids })
    for (const id of ids) all.add(id)
  }
  if (touched.length === 0) return
  const before = await readRows(client, projection, [...all])
  const after = new Map<string, Row | undefined>()
  for (const { event, ids } of touched) {
    for (const id of ids) {
      const row = after.has(id) ? after.get(id) : before.get(id)
      const next = projection.apply(row, event, id)
      if (next !== row) after.set(id, next)
    }
  }
  // A row that came and went within the batch was never in the table.
  for (const [id, row] of after) if (row === undefined && !before.has(id)) after.delete(id)
  await writeRows(client, projection, after)
}
