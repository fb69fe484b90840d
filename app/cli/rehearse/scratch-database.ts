import type { ClientBase } from 'pg'
import { Refusal } from '../../../domain/core/errors.ts'
import { withCopies } from '../../../infra/postgres/dump.ts'
import { sqlState } from '../../../infra/postgres/errors.ts'
import { LOCKS } from '../../../infra/postgres/locks.ts'
import type { Clock } from '../../../infra/runtime/clock.ts'

const INSUFFICIENT_PRIVILEGE = '42501'
/** How long (ms) to try to drop a database that the server itself is vacuuming. */
const VACUUM_PATIENCE_MS = 10_000

/**
 * Gives `work` an empty database on the same server, and drops it afterwards. A crash leaves it, and the next call drops it.
 *
 * @throws Refusal if another call for this database is running, or the role may not create databases
 */
export async function withScratchDatabase<T>(
  connectionString: string,
  clock: Clock,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  return withCopies(connectionString, async (client) => {
    // Released when this process ends, however it does.
    const { rows } = await client.query<{ held: boolean; name: string; role: string }>(
      `select pg_try_advisory_lock($1) as held, 'fanfare_rehearsal_' || oid as name, current_user::text as role
       from pg_database where datname = current_database()`,
      [LOCKS.rehearsal],
    )
    const { held, name = '', role } = rows[0] ?? {}
    if (held !== true)
      throw new Refusal('failed_precondition', 'Another rehearsal is running. Wait until it has ended.')
    try {
      await drop(client, name, clock)
      await client.query(`create database ${name} template template0 encoding 'UTF8'`)
      // Nothing of it has to outlive the server.
      await client.query(`alter database ${name} set synchronous_commit = off`)
    } catch (error) {
      if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error
      throw new Refusal(
        'failed_precondition',
        `The rehearsal needs a database of its own, which ${role} may not create. As a superuser, run: alter role "${role}" createdb`,
      )
    }
    try {
      const url = new URL(connectionString)
      url.pathname = `/${name}`
      return await work(url.href)
    } finally {
      await drop(client, name, clock)
    }
  })
}

async function drop(client: ClientBase, name: string, clock: Clock): Promise<void> {
  const deadline = clock.now() + VACUUM_PATIENCE_MS
  for (;;) {
    try {
      return void (await client.query(`drop database if exists ${name} with (force)`))
    } catch (error) {
      if (sqlState(error) !== INSUFFICIENT_PRIVILEGE || clock.now() > deadline) throw error
      await clock.sleep(100)
    }
  }
}
