import type { ClientBase } from 'pg'
import { LOCKS } from '../../infra/postgres/locks.ts'
import type { AnyProjection } from './projection.ts'
import { versionOf } from './version.ts'

/**
 * Replaces the live table with the one that a rebuild prepared for this version.
 *
 * @returns its position; undefined when there is none, or a rebuild is still running
 */
export async function takePrepared(client: ClientBase, projection: AnyProjection): Promise<bigint | undefined> {
  const { name } = projection
  const there = await client.query<{ there: boolean }>(
    `select to_regclass('read_next.checkpoints') is not null and pg_try_advisory_xact_lock($1) as there`,
    [LOCKS.rebuild],
  )
  if (there.rows[0]?.there !== true) return undefined
  const taken = await client.query<{ position: string }>(
    'delete from read_next.checkpoints where name = $1 and version = $2 and indexed returning position',
    [name, versionOf(projection)],
  )
  const position = taken.rows[0]?.position
  if (position === undefined) return undefined
  await client.query(`drop table if exists read.${name}`)
  await client.query(`alter table read_next.${name} set schema read`)
  return BigInt(position)
}
