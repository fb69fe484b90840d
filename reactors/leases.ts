import type { Database } from '../database/pool.ts'
import { transaction } from '../database/pool.ts'
import { isoTime } from '../system/clock.ts'
import type { AgendaRow } from '../projections/agenda.ts'

export interface LeasedRow extends AgendaRow {
  /** Names the lease: whoever holds another one has lost the row. */
  readonly token: string
}

/** Who may work on which row of the agenda, and until when. Times are milliseconds since the epoch. */
export interface Leases {
  /** Leases due rows, oldest first within a lane, at most `perLane` of a lane at work at once. */
  claim(now: number, most: { readonly limit: number; readonly maxLeased: number }): Promise<readonly LeasedRow[]>
  /** Takes over a lease that was handed on; of two takers one wins. */
  take(id: string, token: string, now: number): Promise<LeasedRow | undefined>
  /** @returns whether the lease still holds */
  extend(row: LeasedRow, now: number): Promise<boolean>
  /** Gives the row back, for nobody to take before `until`. */
  park(row: LeasedRow, until: number): Promise<void>
  /** Gives back what an earlier process of this node held: it is dead. */
  releaseOwn(): Promise<void>
  /** When there will be something to do next, as far as is known. */
  nextDue(): Promise<number | undefined>
}

/** Two dispatchers that count at once would each fill a lane to its cap. */
const CLAIM_LOCK = '7305808869230504'

const COLUMNS = 'id, kind, subject, part, lane, due_at, lease_token as token'
const FREE = '(lease_until is null or lease_until <= $1)'

/**
 * Lanes are visited one by one through the index (a loose index scan) and give at most what their cap leaves, so a lane
 * with a million due rows costs the others nothing.
 */
const CLAIM = `
with recursive lanes as (
  (select lane from read.agenda where due_at <= $1 order by lane limit 1)
  union all
  select (select a.lane from read.agenda a where a.lane > lanes.lane and a.due_at <= $1 order by a.lane limit 1)
  from lanes where lanes.lane is not null
), busy as (
  select lane, count(*)::int as n from read.agenda where lease_token is not null and lease_until > $1 group by lane
), picked as (
  select row.id from lanes left join busy using (lane) cross join lateral (
    select id from read.agenda where lane = lanes.lane and due_at <= $1 and ${FREE}
    order by due_at limit greatest(0, $3 - coalesce(busy.n, 0)) for update skip locked
  ) row
  where lanes.lane is not null limit least($2, greatest(0, $6 - (select coalesce(sum(n), 0)::int from busy)))
)
update read.agenda set lease_token = gen_random_uuid()::text, lease_owner = $4, lease_until = $5
where id in (select id from picked) returning ${COLUMNS}`

export function createLeases(
  db: Database,
  options: { readonly owner: string; readonly leaseMs: number; readonly perLane: number },
): Leases {
  const { owner, leaseMs, perLane } = options
  const until = (now: number) => isoTime(now + leaseMs)

  return {
    claim: (now, { limit, maxLeased }) =>
      transaction(db, async (client) => {
        await client.query('select pg_advisory_xact_lock($1)', [CLAIM_LOCK])
        const values = [isoTime(now), limit, perLane, owner, until(now), maxLeased]
        return (await client.query<LeasedRow>(CLAIM, values)).rows
      }),
    take: async (id, token, now) => {
      const { rows } = await db.query<LeasedRow>(
        `update read.agenda set lease_token = gen_random_uuid()::text, lease_owner = $3, lease_until = $4
         where id = $1 and lease_token = $2 returning ${COLUMNS}`,
        [id, token, owner, until(now)],
      )
      return rows[0]
    },
    extend: async (row, now) => {
      const { rowCount } = await db.query(
        'update read.agenda set lease_until = $3 where id = $1 and lease_token = $2',
        [row.id, row.token, until(now)],
      )
      return rowCount === 1
    },
    park: async (row, parkedUntil) => {
      await db.query(
        'update read.agenda set lease_token = null, lease_owner = null, lease_until = $3 where id = $1 and lease_token = $2',
        [row.id, row.token, isoTime(parkedUntil)],
      )
    },
    releaseOwn: async () => {
      await db.query(
        'update read.agenda set lease_token = null, lease_owner = null, lease_until = null where lease_owner = $1',
        [owner],
      )
    },
    nextDue: async () => {
      const { rows } = await db.query<{ next: string | null }>(
        `select least(
           (select min(due_at) from read.agenda where lease_until is null),
           (select min(lease_until) from read.agenda where lease_until is not null)) as next`,
      )
      return rows[0]?.next ? Date.parse(rows[0].next) : undefined
    },
  }
}
