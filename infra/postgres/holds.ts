import { LOCKS } from './locks.ts'
import { transaction, type Database } from './pool.ts'

/*
 * A hold stops all automatic work in every process: while one is in place, no agenda row is leased and no follower handles an
 * event. Work that was leased before runs to its end.
 */

export interface Hold {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly since: string
}

const HELD = 'until is null or until > clock_timestamp()'

/**
 * The hold is in effect once this returns; placing it again only changes its expiry.
 *
 * @param forMs after which it expires; absent: it stays until lifted, even if its owner dies
 */
export async function placeHold(db: Database, name: string, forMs?: number): Promise<void> {
  await transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCKS.claim])
    await client.query(
      `insert into service.holds (name, until) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
       on conflict (name) do update set until = excluded.until`,
      [name, forMs ?? null],
    )
  })
}

export async function liftHold(db: Pick<Database, 'query'>, name: string): Promise<void> {
  await db.query('delete from service.holds where name = $1', [name])
}

export async function holdsOf(db: Database): Promise<readonly Hold[]> {
  const { rows } = await db.query<Hold>(`select name, since from service.holds where ${HELD} order by since`)
  return rows
}

/** The number of agenda rows being worked on. @param now ms since the epoch */
export async function atWork(db: Database, now: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::int as n from read.agenda where lease_token is not null and lease_until > $1',
    [new Date(now)],
  )
  return rows[0]?.n ?? 0
}
