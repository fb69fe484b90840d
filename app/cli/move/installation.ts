import type { Database } from '../../../infra/postgres/pool.ts'
import { SIGNALS } from '../../../infra/postgres/signal.ts'

/** Identifies the database, and thus the credentials in it. It is included in a database dump. */
export async function installationOf(db: Database): Promise<string> {
  const { rows } = await db.query<{ id: string }>('select id from service.installation')
  return rows[0]?.id ?? ''
}

/** The position of the last event in this database's Postgres log; `undefined` if it is empty. */
export async function postgresHead(db: Database): Promise<string | undefined> {
  const { rows } = await db.query<{ head: string | null }>('select max(position) as head from log.events')
  return rows[0]?.head ?? undefined
}

/** How many processes of the service use the database, including this one: each listens on one connection. */
export async function processesAt(db: Database): Promise<number> {
  return (await keysOfProcesses(db)).length
}

/** For each process of the service that uses the database, including this one, the ids of the master keys it started with. */
export async function keysOfProcesses(db: Database): Promise<readonly (readonly string[])[]> {
  const { rows } = await db.query<{ ids: string[] }>(
    `select string_to_array(substr(application_name, length($1) + 2), ',') as ids from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)`,
    [SIGNALS],
  )
  return rows.map(({ ids }) => ids)
}
