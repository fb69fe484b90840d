import { createHash } from 'node:crypto'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Generations, Schema } from './checkpoints.ts'
import { columnName, columnNames, type ColumnType } from './columns.ts'
import type { AnyProjection, Row } from './projection.ts'
import { versionOf } from './version.ts'

/** The changes that a batch of events makes to one table. */
export interface TableChange {
  readonly projection: AnyProjection
  /** Events of the batch that concern the table. */
  readonly events: number
  /** Rows that did not exist before the batch. */
  readonly created: readonly Row[]
  /** Rows that did. */
  readonly changed: readonly Row[]
  /** Ids of removed rows. */
  readonly gone: readonly string[]
  /** Workspaces whose rows are removed. There are then no other changes. */
  readonly erased: readonly string[]
}

/** The positions before and after a batch, and the generation of each table (by name) that its rows were read from. */
export interface Step {
  readonly from: bigint
  readonly to: bigint
  readonly generations: Generations
  readonly schema: Schema
}

/** Adds a value to the statement and returns its placeholder. */
type Parameter = (value: unknown) => string

/**
 * Moves the checkpoints of all these projections and writes the rows of all their tables. Does nothing at all if a checkpoint
 * is not at `from`, or a table is not the one that was read. One statement, so one round trip.
 *
 * Commits asynchronously: a database crash may lose the last moments of the read models, rows and checkpoints alike, and they
 * are then derived from the log again.
 *
 * @returns whether it was written
 */
export async function writeBatch(
  db: Pick<Database, 'query'>,
  projections: readonly AnyProjection[],
  { from, to, generations, schema }: Step,
  changes: readonly TableChange[],
): Promise<boolean> {
  const values: unknown[] = [
    from.toString(),
    to.toString(),
    projections.map(({ name }) => name),
    projections.map(versionOf),
    projections.map(({ name }) => generations.get(name) ?? 0),
  ]
  const parameter: Parameter = (value) => `$${values.push(value)}`
  const writes = changes.flatMap((change) => [
    ...(change.created.length + change.changed.length > 0 ? [upsert(schema, change, parameter)] : []),
    ...(change.gone.length > 0 ? [removal(schema, change, parameter)] : []),
    ...(change.erased.length > 0 ? [erasure(schema, change, parameter)] : []),
  ])
  const text = [move(schema), ...writes.map((write, index) => `, w${index} as (${write})`), DONE].join('\n')
  // A lookup planned while its table was empty would scan it forever: name only statements with a single possible plan.
  const name = changes.some(({ gone, erased }) => gone.length + erased.length > 0) ? {} : { name: nameOf(text) }
  const { rows } = await db.query<{ done: boolean }>({ ...name, text, values })
  return rows[0]?.done ?? false
}

/** `for update` waits for a concurrent writer, then checks the condition again. */
const move = (schema: Schema) => `
with standing as (
  select name from ${schema}.checkpoints
  where position = $1
    and (name, version, generation) in (select * from unnest($3::text[], $4::text[], $5::integer[]))
  order by name for update
), go as (select count(*) = cardinality($3::text[]) as done from standing)
, moved as (
  update ${schema}.checkpoints set position = $2, halted = null where (select done from go) and name = any($3)
)`
const ALL_STAND = '(select done from go)'
const DONE = `select done, set_config('synchronous_commit', 'off', true) from go`

/**
 * One array per column: `json_to_recordset` takes Postgres 50% longer. Operational columns are cleared, because they refer to
 * the previous state of the row.
 */
function upsert(schema: Schema, { projection, created, changed }: TableChange, parameter: Parameter): string {
  const written = [...created, ...changed]
  const { name, columns, operational } = projection
  const names = columnNames(columns).join(', ')
  const arrays = Object.entries(columns).map(
    ([field, { type }]) => `${parameter(written.map(valueOf(field, type)))}::${type}[]`,
  )
  const updates = [
    ...Object.keys(columns)
      .filter((field) => field !== 'id')
      .map((field) => `${columnName(field)} = excluded.${columnName(field)}`),
    ...Object.keys(operational ?? {}).map((column) => `${column} = null`),
  ]
  return `insert into ${schema}.${name} (${names})
    select ${names} from unnest(${arrays.join(', ')}) as r(${names}) where ${ALL_STAND}
    on conflict (id) do update set ${updates.join(', ')}`
}

/** A row's value of a field, as a query parameter. */
export function valueOf(field: string, type: ColumnType): (row: Row) => unknown {
  return (row) => {
    const value = (row as Readonly<Record<string, unknown>>)[field]
    if (value === undefined || value === null) return null
    return type === 'json' ? JSON.stringify(value) : value
  }
}

function removal(schema: Schema, { projection, gone }: TableChange, parameter: Parameter): string {
  return `delete from ${schema}.${projection.name} where id = any(${parameter(gone)}) and ${ALL_STAND}`
}

function erasure(schema: Schema, { projection, erased }: TableChange, parameter: Parameter): string {
  return `delete from ${schema}.${projection.name} where workspace_id = any(${parameter(erased)}) and ${ALL_STAND}`
}

/** A changed statement gets a different name. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
