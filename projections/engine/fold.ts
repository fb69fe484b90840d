import { eachOf } from '../../infra/runtime/each-of.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { erasedWorkspace, type AnyProjection, type Row } from './projection.ts'
import type { RecentRows } from './recent-rows.ts'
import type { TableChange } from './write-batch.ts'

/** A projection threw while applying an event. */
export class CannotApply extends Error {
  /** The name of the projection. */
  readonly projection: string
  constructor(projection: AnyProjection, event: RecordedEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${projection.name} cannot apply ${event.type} at position ${event.position}: ${reason}`, { cause })
    this.name = 'CannotApply'
    this.projection = projection.name
  }
}

/** Accumulates the changes that events make to tables, until they are written. */
export interface Fold {
  /**
   * Applies the next events. They are not retained.
   *
   * @throws CannotApply
   */
  take(events: readonly RecordedEvent[]): Promise<void>
  /** Returns the accumulated changes per table and resets them. Later events apply on top. */
  changes(): readonly TableChange[]
}

/** Reads rows of a projection's table by id. */
export type ReadRows = (projection: AnyProjection, ids: readonly string[]) => Promise<readonly Row[]>

/** @param recent rows known to be in the tables; the caller updates it after writing */
export function createFold(
  read: ReadRows,
  projections: readonly AnyProjection[],
  recent: RecentRows,
  readsAtOnce: number,
): Fold {
  const tables = projections.map((projection) => foldTable(projection, recent, read))
  return {
    take: async (events) => eachOf(tables, readsAtOnce, async (table) => table.take(events)),
    changes: () => tables.map((table) => table.change()),
  }
}

/** A row before the accumulated events and after them. Undefined: no row. */
interface FoldedRow {
  readonly id: string
  before: Row | undefined
  now: Row | undefined
}

interface Touched {
  readonly event: RecordedEvent
  readonly row: FoldedRow
  readonly also: FoldedRow | undefined
}

function foldTable(projection: AnyProjection, recent: RecentRows, read: ReadRows) {
  let rows = new Map<string, FoldedRow>()
  let erased: string[] = []
  let events = 0
  const isOwned = Object.hasOwn(projection.columns, 'workspaceId')

  /** Appends a row that is not known yet to `unknown`, to be read. */
  const rowOf = (id: string, event: RecordedEvent, unknown: FoldedRow[]): FoldedRow => {
    const known = rows.get(id)
    if (known) return known
    const row = recent.get(projection, id)
    const folded = { id, before: row, now: row }
    rows.set(id, folded)
    if (!row && !projection.createsRow(event, id)) unknown.push(folded)
    return folded
  }

  const readAll = async (unknown: readonly FoldedRow[]) => {
    if (unknown.length === 0) return
    const found = await read(
      projection,
      unknown.map(({ id }) => id),
    )
    for (const row of found) {
      const folded = rows.get(row.id)
      if (folded) folded.before = folded.now = row
    }
  }

  return {
    take: async (more: readonly RecordedEvent[]) => {
      const [touched, unknown]: [Touched[], FoldedRow[]] = [[], []]
      for (const event of more) {
        const ids = tried(projection, event, () => projection.rowIds(event))
        const workspaceId = isOwned ? erasedWorkspace(event) : undefined
        if (workspaceId !== undefined) erased.push(workspaceId)
        if (ids.length > 0) events += 1
        const other = ids.length > 0 ? projection.alsoReads?.(event) : undefined
        const also = other === undefined ? undefined : rowOf(other, event, unknown)
        for (const id of ids) touched.push({ event, row: rowOf(id, event, unknown), also })
      }
      await readAll(unknown)
      for (const { event, row, also } of touched) {
        row.now = tried(projection, event, () => projection.apply(row.now, event, row.id, also?.now))
      }
    },
    change: (): TableChange => {
      const [created, changed, gone]: [Row[], Row[], string[]] = [[], [], []]
      for (const { id, before, now } of rows.values()) {
        if (now === before) continue
        if (now) (before ? changed : created).push(now)
        // A row created and removed within the batch was never in the table.
        else if (before) gone.push(id)
      }
      const change = { projection, events, created, changed, gone, erased }
      ;[rows, erased, events] = [new Map(), [], 0]
      return change
    },
  }
}

function tried<T>(projection: AnyProjection, event: RecordedEvent, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new CannotApply(projection, event, error)
  }
}
