import type { Database } from '../database/pool.ts'
import type { RecordedEvent } from '../domain/event.ts'
import type { Schema } from './checkpoints.ts'
import type { AnyProjection, Row } from './projection.ts'
import type { RecentRows } from './recent-rows.ts'
import { readRows } from './tables.ts'
import type { TableChange } from './write-batch.ts'

/** A projection met an event that it throws at. */
export class CanNotApply extends Error {
  constructor(projection: AnyProjection, event: RecordedEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${projection.name} can not apply ${event.type} at position ${event.position}: ${reason}`, { cause })
    this.name = 'CanNotApply'
  }
}

/** What events make of tables, gathered until it is to be written. */
export interface Fold {
  /**
   * Applies the events that follow those before. They are not kept.
   *
   * @throws CanNotApply
   */
  take(events: readonly RecordedEvent[]): Promise<void>
  /** What all of them have made of each table. What comes next is applied to that. */
  changes(): readonly TableChange[]
}

/** @param recent what the tables are known to hold; it is told of what is written by whoever writes it */
export function createFold(
  db: Pick<Database, 'query'>,
  schema: Schema,
  projections: readonly AnyProjection[],
  recent: RecentRows,
): Fold {
  const tables = projections.map((projection) =>
    foldTable(projection, recent, (ids) => readRows(db, schema, projection, ids)),
  )
  return {
    take: async (events) => void (await Promise.all(tables.map((table) => table.take(events)))),
    changes: () => tables.map((table) => table.change()),
  }
}

interface Touch {
  readonly event: RecordedEvent
  readonly ids: readonly string[]
}

function foldTable(
  projection: AnyProjection,
  recent: RecentRows,
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
) {
  const { ofOneStream } = projection
  /** The rows as they stood before all, of those that an event concerns; undefined where there was none. */
  let before = new Map<string, Row | undefined>()
  /** The rows that are otherwise since. */
  let after = new Map<string, Row | undefined>()
  let events = 0

  const lookUp = async (touched: readonly Touch[]) => {
    const unknown = new Set<string>()
    for (const { event, ids } of touched) {
      for (const id of ids) {
        if (before.has(id) || unknown.has(id)) continue
        const isOfOne = typeof ofOneStream === 'function' ? ofOneStream(id) : ofOneStream
        const isNew = isOfOne && event.revision === 0
        const row = isNew ? undefined : recent.get(projection, id)
        if (isNew || row) before.set(id, row)
        else unknown.add(id)
      }
    }
    if (unknown.size === 0) return
    for (const id of unknown) before.set(id, undefined)
    for (const row of await read([...unknown])) before.set(row.id, row)
  }

  return {
    take: async (more: readonly RecordedEvent[]) => {
      const touched = touchedBy(projection, more)
      events += touched.length
      await lookUp(touched)
      for (const { event, ids } of touched) {
        for (const id of ids) {
          const row = after.has(id) ? after.get(id) : before.get(id)
          const next = tried(projection, event, () => projection.apply(row, event, id))
          if (next !== row) after.set(id, next)
        }
      }
    },
    change: (): TableChange => {
      const [created, changed, gone]: [Row[], Row[], string[]] = [[], [], []]
      for (const [id, row] of after) {
        const wasThere = before.get(id) !== undefined
        if (row) (wasThere ? changed : created).push(row)
        // One that came and went in between was never in the table.
        else if (wasThere) gone.push(id)
      }
      const change = { projection, events, created, changed, gone }
      ;[before, after, events] = [new Map(), new Map(), 0]
      return change
    },
  }
}

function touchedBy(projection: AnyProjection, events: readonly RecordedEvent[]): readonly Touch[] {
  const touched: Touch[] = []
  for (const event of events) {
    const ids = tried(projection, event, () => projection.rowIds(event))
    if (ids.length > 0) touched.push({ event, ids })
  }
  return touched
}

function tried<T>(projection: AnyProjection, event: RecordedEvent, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new CanNotApply(projection, event, error)
  }
}
