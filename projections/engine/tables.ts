import type { ClientBase } from 'pg'
import { beforeAltering, LOCKS } from '../../infra/postgres/locks.ts'
import { transaction, type Database } from '../../infra/postgres/pool.ts'
import { checkpointsIn, layOutCheckpoints, type Schema } from './checkpoints.ts'
import type { AnyProjection, Row } from './projection.ts'
import { columnName, rowFrom } from './columns.ts'
import { takePrepared } from './prepared.ts'
import { versionOf } from './version.ts'

/**
 * Creates missing tables and replaces those of another version, with what a rebuild prepared or else with empty tables. The
 * projector then fills them, the empty ones from the start of the log.
 *
 * @returns the names of the projections that start from scratch
 * @throws an error with SQLSTATE 55P03 if another transaction holds a table; nothing was done then
 */
export function layOutTables(db: Database, projections: readonly AnyProjection[]): Promise<readonly string[]> {
  return transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.layout])
    await layOutCheckpoints(client, 'read')
    const known = await checkpointsIn(client, 'read')
    const missing = projections.filter((projection) => known.get(projection.name)?.version !== versionOf(projection))
    const replaced = missing.filter(({ name }) => known.has(name)).map(({ name }) => `read.${name}`)
    await client.query(beforeAltering(replaced))
    const fresh: string[] = []
    for (const projection of missing) {
      const { name } = projection
      const position = await takePrepared(client, projection)
      if (position === undefined) {
        await client.query(`drop table if exists read.${name}`)
        await createTable(client, 'read', projection)
        await createIndexes(client, 'read', projection)
        fresh.push(name)
      }
      await client.query(
        `insert into read.checkpoints (name, version, position) values ($1, $2, $3)
         on conflict (name) do update set version = excluded.version, position = excluded.position, halted = null`,
        [name, versionOf(projection), String(position ?? -1)],
      )
    }
    return fresh
  })
}

export async function createTable(client: ClientBase, schema: Schema, projection: AnyProjection): Promise<void> {
  const columns = [
    ...Object.entries(projection.columns).map(([field, { type }]) => `${columnName(field)} ${type}`),
    ...Object.entries(projection.operational ?? {}).map(([name, type]) => `${name} ${type}`),
    'primary key (id)',
  ].join(', ')
  await client.query(`create table ${schema}.${projection.name} (${columns})`)
}

export async function createIndexes(client: ClientBase, schema: Schema, projection: AnyProjection): Promise<void> {
  for (const index of projection.indexes) await client.query(`create index on ${schema}.${projection.name} ${index}`)
}

/** Empties every read model and resets it to the start of the log, which may be a different log. Drops tables being rebuilt. */
export function resetTables(db: Database, projections: readonly AnyProjection[]): Promise<void> {
  return transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.layout])
    await client.query('update read.checkpoints set position = -1, halted = null')
    await client.query('drop schema if exists read_next cascade')
    for (const { name } of projections) await client.query(`truncate read.${name}`)
  })
}

export async function readRows(
  db: Pick<Database, 'query'>,
  schema: Schema,
  projection: AnyProjection,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const sql = `select ${rowFrom(projection.columns)} from ${schema}.${projection.name} where id = any($1)`
  return (await db.query<Row>(sql, [ids])).rows
}

/** Records for every process why these projections are halted; their next progress clears it. */
export async function noteHalt(db: Database, projections: readonly AnyProjection[], reason: string): Promise<void> {
  const sql = `update read.checkpoints set halted = $1
    where (name, version) in (select * from unnest($2::text[], $3::text[]))`
  await db.query(sql, [reason, projections.map(({ name }) => name), projections.map(versionOf)])
}

/** The read models' position and which ones are halted, whichever process updates them. */
export async function progressOf(
  db: Database,
): Promise<{ readonly position: bigint; readonly halted: Readonly<Record<string, string>> }> {
  const { rows } = await db.query<{ name: string; position: string; halted: string | null }>(
    'select name, position, halted from read.checkpoints order by position',
  )
  const moving = rows.filter(({ halted }) => halted === null)
  const halted = Object.fromEntries(rows.flatMap(({ name, halted }) => (halted === null ? [] : [[name, halted]])))
  return { position: BigInt(moving[0]?.position ?? -1), halted }
}
