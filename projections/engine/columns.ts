/** `json`, not `jsonb`: nothing queries inside, and key order is preserved. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'json'

/** A column of a read model, whose rows have a `T` in it: one with `null` if it can be empty. */
export interface Column<T> {
  readonly type: ColumnType
  /** Never set: it carries `T`. */
  readonly value?: T
}

/** A read model's list of fields; a field's column has its name in snake case. */
export type Columns<Row> = { readonly [Field in keyof Row & string]: Column<Row[Field]> }
export type RowOf<C> = { readonly [Field in keyof C]: C[Field] extends Column<infer T> ? T : never }

const column =
  (type: ColumnType) =>
  <T>(): Column<T> => ({ type })

export const text: <T extends string | null = string>() => Column<T> = column('text')
export const integer: <T extends number | null = number>() => Column<T> = column('integer')
/** A decimal string, because it may be larger than a number can hold. */
export const bigint: <T extends string | null = string>() => Column<T> = column('bigint')
export const boolean: <T extends boolean | null = boolean>() => Column<T> = column('boolean')
/** ISO 8601 UTC with milliseconds. */
export const time: <T extends string | null = string>() => Column<T> = column('timestamptz')
export const json: <T>() => Column<T> = column('json')

/** `checkIntervalMinutes` is `check_interval_minutes` in the table. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The names in the table, in order. */
export function columnNames(columns: Columns<object>): readonly string[] {
  return Object.keys(columns).map(columnName)
}

/**
 * What follows `select` to read whole rows: `f.id, f.workspace_id as "workspaceId"`.
 *
 * @param table the table's alias in the statement
 */
export function rowFrom(columns: Columns<object>, table?: string): string {
  const from = table === undefined ? '' : `${table}.`
  return Object.keys(columns)
    .map((field) => {
      const name = columnName(field)
      return name === field ? `${from}${name}` : `${from}${name} as "${field}"`
    })
    .join(', ')
}
