import type { ClientBase } from 'pg'
import type { Database } from '../../infra/postgres/pool.ts'
import type { AnyProjection } from './projection.ts'

/** The schema of the live read models, and that of those being built beside them. */
export type Schema = 'read' | 'read_next'

/** The position of one table. */
export interface Checkpoint {
  readonly name: string
  readonly version: string
  readonly position: bigint
  /** Distinguishes tables of the same name and version: incremented when a rebuilt table replaces the live one. */
  readonly generation: number
  /** Why it is halted. */
  readonly halted: string | null
}

/** Generations by table name. A name that is missing has generation 0. */
export type Generations = ReadonlyMap<string, number>

/** Read models at the same position. */
export interface Standing {
  readonly group: readonly AnyProjection[]
  readonly position: bigint
}

/** Creates the schema and its checkpoints table, or the parts that are missing. */
export async function layOutCheckpoints(client: ClientBase, schema: Schema): Promise<void> {
  await client.query(`create schema if not exists ${schema}`)
  await client.query(
    `create table if not exists ${schema}.checkpoints
     (name text primary key, version text not null, position bigint not null, halted text)`,
  )
  const known = await client.query(
    `select 1 from pg_attribute
     where attrelid = to_regclass($1) and attname = 'generation' and not attisdropped`,
    [`${schema}.checkpoints`],
  )
  if (known.rows.length > 0) return
  await client.query(`alter table ${schema}.checkpoints add column generation integer not null default 0`)
}

/** By name. */
export async function checkpointsIn(
  db: Pick<Database, 'query'>,
  schema: Schema,
): Promise<ReadonlyMap<string, Checkpoint>> {
  const { rows } = await db.query<Omit<Checkpoint, 'position'> & { readonly position: string }>(
    `select name, version, position, generation, halted from ${schema}.checkpoints`,
  )
  return new Map(rows.map((row) => [row.name, { ...row, position: BigInt(row.position) }]))
}

export function generationsOf(checkpoints: ReadonlyMap<string, Checkpoint>): Generations {
  return new Map([...checkpoints].map(([name, { generation }]) => [name, generation]))
}

/** Groups read models by position, lowest first. */
export function byPosition(
  checkpoints: ReadonlyMap<string, Checkpoint>,
  projections: readonly AnyProjection[],
): readonly Standing[] {
  const found = new Map<bigint, AnyProjection[]>()
  for (const projection of projections) {
    const position = checkpoints.get(projection.name)?.position
    if (position !== undefined) found.set(position, [...(found.get(position) ?? []), projection])
  }
  return [...found]
    .map(([position, group]) => ({ position, group }))
    .toSorted((one, other) => (one.position < other.position ? -1 : 1))
}
