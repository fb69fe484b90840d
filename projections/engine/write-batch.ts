import { createHash } from 'node:crypto'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Generations, Schema } from './checkpoints.ts'
import type { AnyProjection, ColumnType, Row } from './projection.ts'
import { versionOf } from './version.ts'

/** What a batch of events makes of one table. */
export interface TableChange {
  readonly projection: AnyProjection
  /** How many events of the batch concern it. */
  readonly events: number
  /** Rows that were not there before the batch. */
  readonly created: readonly Row[]
  /** Rows that were. */
  readonly changed: readonly Row[]
  /** Ids of the rows that are no more. */
  readonly gone: readonly string[]
}

/** From which position to which a batch brings the tables, and which generation of each (by name) its rows were read from. */
export interface Step {
  readonly from: bigint
  readonly to: bigint
  readonly generations: Generations
  readonly schema: Schema
}

/** Takes a value of the statement and gives its name there. */
type Parameter = (value: unknown) => string

/**
 * Moves the checkpoints of all these projections and writes the rows of all their tables, or does nothing at all when one
 * checkpoint is not at `from`, or its table not the one that was read. One statement, so one round trip.
 *
 * Not waited for on the disk: a server that crashes may lose the last moments of the read models, rows and checkpoints
 * alike, and they are made again from the log.
 *
 * @returns whether it was done
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
  ])
  const text = [move(schema), ...writes.map((write, index) => `, w${index} as (${write})`), DONE].join('\n')
  // A look-up planned while its table was empty would scan it for ever after: only what has but one plan is kept.
  const name = changes.some(({ gone }) => gone.length > 0) ? {} : { name: nameOf(text) }
  const { rows } = await db.query<{ done: boolean }>({ ...name, text, values })
  return rows[0]?.done ?? false
}

/** The lock waits for whoever else is at it, and then looks again. */
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
 * One array for each column: `json_to_recordset` takes the database half as long again. Operational columns are emptied:
 * what they say was about the row as it was.
 */
function upsert(schema: Schema, { projection, created, changed }: TableChange, parameter: Parameter): string {
  const written = [...created, ...changed]
  const { name, columns, operational } = projection
  const names = Object.keys(columns).join(', ')
  const arrays = Object.entries(columns).map(
    ([column, type]) => `${parameter(written.map(columnOf(column, type)))}::${type}[]`,
  )
  const updates = [
    ...Object.keys(columns)
      .filter((column) => column !== 'id')
      .map((column) => `${column} = excluded.${column}`),
    ...Object.keys(operational ?? {}).map((column) => `${column} = null`),
  ]
  return `insert into ${schema}.${name} (${names})
    select ${names} from unnest(${arrays.join(', ')}) as r(${names}) where ${ALL_STAND}
    on conflict (id) do update set ${updates.join(', ')}`
}

/** What a row holds in a column, as the database takes it. */
export function columnOf(column: string, type: ColumnType): (row: Row) => unknown {
  return (row) => {
    const value = (row as Readonly<Record<string, unknown>>)[column]
    if (value === undefined || value === null) return null
    return type === 'json' ? JSON.stringify(value) : value
  }
}

function removal(schema: Schema, { projection, gone }: TableChange, parameter: Parameter): string {
  return `delete from ${schema}.${projection.name} where id = any(${parameter(gone)}) and ${ALL_STAND}`
}

/** Another version of a table makes another statement. */
function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
