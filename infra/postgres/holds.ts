import { transaction, type Database } from './pool.ts'

/*
 * A hold stops all that acts by itself, in every process: nothing of the agenda is leased and no follower handles an event
 * while one is there. What was leased before goes on to its end.
 */

export interface Hold {
  readonly name: string
  /** ISO 8601 UTC. */
  readonly since: string
}

/** What `service.claim` takes (`migrations/003-agenda.ts`): nobody leases while a hold is placed. */
export const CLAIM_LOCK = '7305808869230504'
const HELD = 'until is null or until > clock_timestamp()'

/**
 * Placed once it returns; again, it changes only how long it lasts.
 *
 * @param forMs after which it ends by itself; absent: it is there until it is lifted, also when its owner dies
 */
export async function placeHold(db: Database, name: string, forMs?: number): Promise<void> {
  await transaction(db, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [CLAIM_LOCK])
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

/** How many rows of the agenda somebody is at work on. @param now ms since the epoch */
export async function atWork(db: Database, now: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::int as n from read.agenda where lease_token is not null and lease_until > $1',
    [new Date(now)],
  )
  return rows[0]?.n ?? 0
}
