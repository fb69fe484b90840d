import type { RecordedEvent } from '../../domain/core/event.ts'

/** `json`, not `jsonb`: nothing looks inside, and the order of names is kept. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'json'

export type Row = { readonly id: string }

/**
 * A read model: one table, each row the fold of the events that concern it. Pure; the projector owns the SQL, so live
 * running, replay and tests use the same function.
 */
export interface Projection<R extends Row> {
  /** The table's name. */
  readonly name: string
  /** Raise it when `apply` changes what it makes of the same events: the table is then built anew from the log. */
  readonly version: number
  readonly columns: Readonly<Record<keyof R & string, ColumnType>>
  /** Columns that no event sets (leases, for one). They are emptied whenever an event changes their row. */
  readonly operational?: Readonly<Record<string, ColumnType>>
  /**
   * Whether the row need not be looked for before an event that concerns it: there is none yet, or `apply` makes the same of it
   * whatever it was, and no event removes such a row.
   */
  makesAnew(event: RecordedEvent, id: string): boolean
  /** Index definitions: what follows `create index on <table>`. */
  readonly indexes: readonly string[]
  /** The rows that an event changes. */
  rowIds(event: RecordedEvent): readonly string[]
  /** The row after the event; undefined when there is none any more. */
  apply(row: R | undefined, event: RecordedEvent, id: string): R | undefined
}

/** The `makesAnew` of rows that are made of the events of one stream: before the first of them there is none. */
export function atStreamStart({ revision }: RecordedEvent): boolean {
  return revision === 0
}

/** A projection whose row type does not matter to its user. */
export type AnyProjection = Projection<Row>

/** Forgets the row type. Sound: the projector only ever hands a projection the rows that it made itself. */
export function erased<R extends Row>(projection: Projection<R>): AnyProjection {
  return projection as unknown as AnyProjection
}
