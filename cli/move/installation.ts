import type { Database } from '../../database/pool.ts'

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
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'fanfare signals'`,
  )
  return rows[0]?.n ?? 0
}
