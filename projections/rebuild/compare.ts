import type { Pool } from 'pg'
import { transaction, type Database } from '../../infra/postgres/pool.ts'
import { checkpointsIn, type Schema } from '../engine/checkpoints.ts'
import { columnName } from '../engine/columns.ts'
import type { AnyProjection } from '../engine/projection.ts'

/** A checksum of a table's rows in any order. Excludes operational columns. */
export interface Sum {
  readonly rows: number
  readonly checksum: string
}

export interface Compared {
  readonly live: Sum
  readonly next: Sum
  /** Ids of rows that differ or exist in only one table: the first few. */
  readonly different: readonly string[]
}

type Reader = Pick<Database, 'query'>
interface Bucket {
  readonly bucket: number
  readonly rows: number
  readonly sum: string
}

/** Rows are summed in this many buckets, so that a difference is found without reading every row again. */
const BUCKETS = 1024
const MOST_BUCKETS_READ = 8
const MOST_REPORTED = 10

/**
 * Compares the live tables with those beside them without stopping the live ones: reads a snapshot and brings the others to the
 * same position.
 *
 * @param bringTo brings the tables beside to a position, and resolves to the position reached
 * @returns by name; undefined when the live tables are not at one position, or are behind those beside them: retry later
 */
export async function compareTables(
  db: Pool,
  projections: readonly AnyProjection[],
  bringTo: (position: bigint) => Promise<bigint>,
): Promise<ReadonlyMap<string, Compared> | undefined> {
  return transaction(db, async (live) => {
    await live.query('set transaction isolation level repeatable read, read only')
    const checkpoints = await checkpointsIn(live, 'read')
    const [position, ...others] = new Set(projections.map(({ name }) => checkpoints.get(name)?.position))
    if (position === undefined || others.length > 0) return undefined
    if ((await bringTo(position)) !== position) return undefined
    const compared = new Map<string, Compared>()
    for (const projection of projections) compared.set(projection.name, await compareTable(live, db, projection))
    return compared
  })
}

async function compareTable(live: Reader, db: Reader, projection: AnyProjection): Promise<Compared> {
  const [here, there] = await Promise.all([bucketsOf(live, 'read', projection), bucketsOf(db, 'read_next', projection)])
  const wrong = new Set<number>()
  for (const [some, others] of [
    [here, there],
    [there, here],
  ] as const) {
    const known = new Map(others.map((other) => [other.bucket, other]))
    for (const { bucket, rows, sum } of some) {
      const other = known.get(bucket)
      if (other?.rows !== rows || other.sum !== sum) wrong.add(bucket)
    }
  }
  const asked = [...wrong].slice(0, MOST_BUCKETS_READ)
  const different = asked.length === 0 ? [] : await differences(live, db, projection, asked)
  return { live: total(here), next: total(there), different }
}

/** The checksum of one table. */
export async function sumOf(db: Reader, schema: Schema, projection: AnyProjection): Promise<Sum> {
  return total(await bucketsOf(db, schema, projection))
}

async function bucketsOf(db: Reader, schema: Schema, projection: AnyProjection): Promise<readonly Bucket[]> {
  const { rows } = await db.query<Bucket>(
    `select bucket, count(*)::integer as rows, sum(hash)::text as sum
     from (${hashes(schema, projection)}) as hashed group by bucket`,
  )
  return rows
}

function total(buckets: readonly Bucket[]): Sum {
  const sum = buckets.reduce((all, { sum }) => all + BigInt(sum), 0n)
  return {
    rows: buckets.reduce((all, { rows }) => all + rows, 0),
    checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0'),
  }
}

/** Postgres cannot hash `json`, but can hash its text. */
function hashes(schema: Schema, { name, columns }: AnyProjection): string {
  const values = Object.entries(columns).map(([field, { type }]) =>
    type === 'json' ? `${columnName(field)}::text` : columnName(field),
  )
  return `select id, hashtext(id) & ${BUCKETS - 1} as bucket, hash_record_extended(row(${values.join(', ')}), 0) as hash
    from ${schema}.${name}`
}

async function differences(
  live: Reader,
  db: Reader,
  projection: AnyProjection,
  buckets: readonly number[],
): Promise<readonly string[]> {
  const read = async (reader: Reader, schema: Schema) => {
    const sql = `select id, hash from (${hashes(schema, projection)}) as hashed where bucket = any($1)`
    const { rows } = await reader.query<{ id: string; hash: string }>(sql, [buckets])
    return new Map(rows.map(({ id, hash }) => [id, hash]))
  }
  const [here, there] = [await read(live, 'read'), await read(db, 'read_next')]
  const ids = new Set([...here.keys(), ...there.keys()])
  return [...ids]
    .filter((id) => here.get(id) !== there.get(id))
    .toSorted()
    .slice(0, MOST_REPORTED)
}
