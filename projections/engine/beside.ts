import type { ClientBase, Pool } from 'pg'
import { transaction, type Database } from '../../infra/postgres/pool.ts'
import { checkpointsIn, layOutCheckpoints } from './checkpoints.ts'
import type { AnyProjection } from './projection.ts'
import { createIndexes, createTable } from './tables.ts'
import { versionOf } from './version.ts'

/** The progress of a table that is being rebuilt, and so may not have its indexes yet. */
export interface BesideProgress {
  readonly position: bigint
  /** The number of events applied that concern this table. */
  readonly events: number
  /** Whether it has its indexes: if so, it was once at the end of the log. */
  readonly indexed: boolean
}

/**
 * Creates the tables beside the live ones. Keeps those of an interrupted rebuild as they are.
 *
 * @param startOver whether to start over regardless
 */
export function layOutBeside(db: Database, projections: readonly AnyProjection[], startOver: boolean): Promise<void> {
  return transaction(db, async (client) => {
    await layOutCheckpoints(client, 'read_next')
    await client.query(
      `alter table read_next.checkpoints add column if not exists events bigint not null default 0,
         add column if not exists indexed boolean not null default false`,
    )
    const checkpoints = await checkpointsIn(client, 'read_next')
    for (const projection of projections) {
      const { name } = projection
      const version = versionOf(projection)
      if (!startOver && checkpoints.get(name)?.version === version) continue
      await client.query(`drop table if exists read_next.${name}`)
      await createTable(client, 'read_next', projection)
      await client.query('delete from read_next.checkpoints where name = $1', [name])
      await client.query('insert into read_next.checkpoints (name, version, position) values ($1, $2, -1)', [
        name,
        version,
      ])
    }
  })
}

/** Creates missing indexes, two tables at a time. A table's indexes and their record commit together. */
export async function indexBeside(db: Database, projections: readonly AnyProjection[]): Promise<void> {
  const known = await besideProgress(db)
  const missing = projections.filter(({ name }) => known.get(name)?.indexed !== true).values()
  const indexOneByOne = async () => {
    for (const projection of missing) await transaction(db, (client) => indexOne(client, projection))
  }
  const [one, other] = await Promise.allSettled([indexOneByOne(), indexOneByOne()])
  for (const ended of [one, other]) if (ended.status === 'rejected') throw ended.reason
}

async function indexOne(client: ClientBase, projection: AnyProjection): Promise<void> {
  const { name } = projection
  await createIndexes(client, 'read_next', projection)
  await client.query(`analyze read_next.${name}`)
  await client.query('update read_next.checkpoints set indexed = true where name = $1', [name])
}

/** By name; empty when no rebuild has started. */
export async function besideProgress(db: Pick<Database, 'query'>): Promise<ReadonlyMap<string, BesideProgress>> {
  const there = await db.query<{ there: boolean }>(`select to_regclass('read_next.checkpoints') is not null as there`)
  if (there.rows[0]?.there !== true) return new Map()
  const { rows } = await db.query<{ name: string; position: string; events: string; indexed: boolean }>(
    'select name, position, events, indexed from read_next.checkpoints',
  )
  return new Map(
    rows.map(({ name, position, events, indexed }) => [
      name,
      { position: BigInt(position), events: Number(events), indexed },
    ]),
  )
}

/** Drops the schema when it has no tables left. */
export async function clearBeside(db: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await db.query('select 1 from read_next.checkpoints limit 1')
  if (rows.length === 0) await db.query('drop schema read_next cascade')
}
