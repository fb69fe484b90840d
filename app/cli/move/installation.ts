import type { Database } from '../../../infra/postgres/pool.ts'
import { SIGNALS } from '../../../infra/postgres/signal.ts'

/** Names the database: who has it has the credentials. It goes along with its dump. */
export async function installationOf(db: Database): Promise<string> {
  const { rows } = await db.query<{ id: string }>('select id from service.installation')
  return rows[0]?.id ?? ''
}

/** The position of the last event in the Postgres log of this database; undefined when it holds none. */
export async function postgresHead(db: Database): Promise<string | undefined> {
  const { rows } = await db.query<{ head: string | null }>('select max(position) as head from log.events')
  return rows[0]?.head ?? undefined
}

/** How many processes of the service use the database, this one included: each listens on one connection. */
export async function processesAt(db: Database): Promise<number> {
  return (await keysOfProcesses(db)).length
}

/** Of each process of the service that uses the database, this one included, the ids of the master keys that it began with. */
export async function keysOfProcesses(db: Database): Promise<readonly (readonly string[])[]> {
  const { rows } = await db.query<{ ids: string[] }>(
    `select string_to_array(substr(application_name, length($1) + 2), ',') as ids from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)`,
    [SIGNALS],
  )
  return rows.map(({ ids }) => ids)
}
