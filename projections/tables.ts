import { createHash } from 'node:crypto'
import { transaction, type Database } from '../database/pool.ts'
import type { AnyProjection, Row } from './projection.ts'
import type { ClientBase } from 'pg'

/** One at a time may lay out the read models, however many processes start. */
const LAYOUT_LOCK = '7305808869230503'

/** What a table is made of; another version means that it must be built anew. */
export function versionOf(projection: AnyProjection): string {
  const known = versions.get(projection)
  if (known !== undefined) return known
  const { name, version, columns, operational, indexes } = projection
  const made = JSON.stringify({ name, version, columns, operational, indexes })
  const hash = createHash('sha256').update(made).digest('hex')
  versions.set(projection, hash)
  return hash
}

/** A projection never changes, and the projector asks at every batch. */
const versions = new WeakMap<AnyProjection, string>()

/**
 * Creates the tables that are missing and recreates, empty, those of another version; the projector then fills them from
 * the start of the log.
 *
 * @returns the names of the projections that begin anew
 */
export function layOutTables(db: Database, projections: readonly AnyProjection[]): Promise<readonly string[]> {
  return transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LAYOUT_LOCK])
    await client.query('create schema if not exists read')
    await client.query(
      `create table if not exists read.checkpoints
       (name text primary key, version text not null, position bigint not null, halted text)`,
    )
    const fresh: string[] = []
    for (const projection of projections) if (await layOut(client, projection)) fresh.push(projection.name)
    return fresh
  })
}

async function layOut(client: ClientBase, projection: AnyProjection): Promise<boolean> {
  const { name } = projection
  const version = versionOf(projection)
  const found = await client.query('select 1 from read.checkpoints where name = $1 and version = $2', [name, version])
  if (found.rows.length > 0) return false
  const columns = Object.entries({ ...projection.columns, ...projection.operational })
    .map(([column, type]) => `${column} ${type}${column === 'id' ? ' primary key' : ''}`)
    .join(', ')
  await client.query(`drop table if exists read.${name}`)
  await client.query(`create table read.${name} (${columns})`)
  for (const index of projection.indexes) await client.query(`create index on read.${name} ${index}`)
  await client.query(
    `insert into read.checkpoints (name, version, position) values ($1, $2, -1)
     on conflict (name) do update set version = excluded.version, position = -1, halted = null`,
    [name, version],
  )
  return true
}

/** Empties every read model and sets it back to the start of the log. */
export function resetTables(db: Database, projections: readonly AnyProjection[]): Promise<void> {
  return transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LAYOUT_LOCK])
    await client.query('update read.checkpoints set position = -1, halted = null')
    for (const { name } of projections) await client.query(`truncate read.${name}`)
  })
}

export async function readRows(
  db: Database,
  projection: AnyProjection,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const columns = Object.keys(projection.columns).join(', ')
  const sql = `select ${columns} from read.${projection.name} where id = any($1)`
  return (await db.query<Row>(sql, [ids])).rows
}

/** Lets every process know why these projections stand still; their next step forward takes it back. */
export async function noteHalt(db: Database, projections: readonly AnyProjection[], reason: string): Promise<void> {
  const sql = `update read.checkpoints set halted = $1
    where (name, version) in (select * from unnest($2::text[], $3::text[]))`
  await db.query(sql, [reason, projections.map(({ name }) => name), projections.map(versionOf)])
}

/** How far the read models have come, and which stand still, whichever process makes them. */
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
