import { parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import type { Columns, ColumnType } from './columns.ts'

export type Row = { readonly id: string }

/**
 * A read model: one table, in which each row is the fold of the events that concern it. Pure; the projector owns the SQL, so
 * that live updates, replay and tests use the same function.
 */
export interface Projection<R extends Row> {
  /** The table's name. */
  readonly name: string
  /** Increment it when `apply` gives a different result for the same events: the table is then rebuilt from the log. */
  readonly version: number
  readonly columns: Columns<R>
  /** Columns that no event sets, such as leases, by their names in the table. Cleared whenever an event changes their row. */
  readonly operational?: Readonly<Record<string, ColumnType>>
  /**
   * Whether the event applies without reading the row first: either no row exists yet, or `apply` ignores the row and no event
   * removes it.
   */
  createsRow(event: RecordedEvent, id: string): boolean
  /** Index definitions: what follows `create index on <table>`. */
  readonly indexes: readonly string[]
  /** The rows that an event changes. */
  rowIds(event: RecordedEvent): readonly string[]
  /** The id of another row that `apply` needs, as it is before the event. */
  alsoReads?(event: RecordedEvent): string | undefined
  /** The row after the event; undefined when it is removed. */
  apply(row: R | undefined, event: RecordedEvent, id: string, also?: R): R | undefined
  /** The channels on which to signal that these rows were written, or removed. `now` is in ms since the epoch. */
  signals?(written: readonly R[], gone: number, now: number): readonly string[]
}

/** `createsRow` for rows built from a single stream: before its first event there is no row. */
export function atStreamStart({ revision }: RecordedEvent): boolean {
  return revision === 0
}

/**
 * The workspace that an event erases. Its rows are removed from every table with a `workspaceId`, so the event must be applied
 * alone: see `apart`.
 */
export function erasedWorkspace({ type, stream }: RecordedEvent): string | undefined {
  return type === 'WorkspaceErased' ? parseStreamName(stream).id : undefined
}

/** Events in parts to be written one after the other, in which one that erases a workspace is alone. */
export function apart(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const parts: RecordedEvent[][] = []
  let wasErased = true
  for (const event of events) {
    const isErased = erasedWorkspace(event) !== undefined
    if (isErased || wasErased) parts.push([])
    parts.at(-1)?.push(event)
    wasErased = isErased
  }
  return parts
}

/** A projection whose row type is irrelevant to the caller. */
export type AnyProjection = Projection<Row>

/** Erases the row type. Sound, because the projector passes a projection only rows that it produced. */
export function erased<R extends Row>(projection: Projection<R>): AnyProjection {
  return projection as unknown as AnyProjection
}
