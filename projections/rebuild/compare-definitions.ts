import type { Database } from '../../infra/postgres/pool.ts'
import { columnName } from '../engine/columns.ts'
import type { AnyProjection } from '../engine/projection.ts'

/** How a read model that this version defines differently compares to the live one. */
export interface Redefined {
  readonly columns: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    /** Those of another type. */
    readonly changed: readonly string[]
  }
  /** Rows that only the table of this version has, that only the live one has, and that differ in a column of both. */
  readonly rows: { readonly added: number; readonly removed: number; readonly changed: number }
}

/** Compares the tables in the schemas `read` and `read_next` by the columns that both have with the same type. */
export async function compareDefinitions(
  db: Pick<Database, 'query'>,
  projection: AnyProjection,
): Promise<{ readonly liveRows: number; readonly rows: number } & { readonly redefined: Redefined }> {
  const { name, operational = {} } = projection
  const { rows: live } = await db.query<{ name: string; type: string }>(
    `select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [`read.${name}`],
  )
  const before = new Map(live.filter((column) => !Object.hasOwn(operational, column.name)).map((c) => [c.name, c.type]))
  const now = new Map(
    Object.entries(projection.columns).map(([field, { type }]) => [columnName(field), TYPES[type] ?? type]),
  )
  const both = [...now.keys()].filter((column) => before.has(column))
  const alike = both.filter((column) => before.get(column) === now.get(column))
  const row = (table: string) =>
    alike.map((column) => `${table}.${column}${now.get(column) === 'json' ? '::text' : ''}`)
  const { rows } = await db.query<Counts>(
    `select count(live.id)::integer as "liveRows", count(next.id)::integer as "rows",
       count(*) filter (where live.id is null)::integer as added,
       count(*) filter (where next.id is null)::integer as removed,
       count(*) filter (where live.id = next.id
         and row(${row('live').join(', ')}) is distinct from row(${row('next').join(', ')}))::integer as changed
     from read.${name} as live full join read_next.${name} as next on live.id = next.id`,
  )
  const { liveRows = 0, rows: nextRows = 0, added = 0, removed = 0, changed = 0 } = rows[0] ?? {}
  return {
    ...{ liveRows, rows: nextRows },
    redefined: {
      columns: {
        added: [...now.keys()].filter((column) => !before.has(column)),
        removed: [...before.keys()].filter((column) => !now.has(column)),
        changed: both.filter((column) => !alike.includes(column)),
      },
      rows: { added, removed, changed },
    },
  }
}

interface Counts {
  readonly liveRows: number
  readonly rows: number
  readonly added: number
  readonly removed: number
  readonly changed: number
}

/** The name by which Postgres shows a type, where that is another one. */
const TYPES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone' }
