import type { Database } from '../../infra/postgres/pool.ts'
import { gather } from '../../infra/postgres/gather.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { AgendaRow } from '../../projections/agenda/agenda.ts'
import type { Rooms } from './hands.ts'
import { WORK } from './pools.ts'

export interface LeasedRow extends AgendaRow {
  /** Names the lease: whoever holds another one has lost the row. */
  readonly token: string
  /** Whose hands it takes, for fair shares. Of an account or webhook that is not known, its lane. */
  readonly workspace: string
}

/** When there is something to do, as far as is known. */
export interface Ahead {
  /** Whether rows are due that nobody has taken: their lanes or their hands are full. */
  readonly overdue: boolean
  /** When the next row comes due, ms since the epoch. */
  readonly next: number | undefined
}

/** Who may work on which row of the agenda, and until when. Times are milliseconds since the epoch. */
export interface Leases {
  /**
   * Leases due rows, oldest first within a lane, at most a lane's cap (`pools.ts`) at work at once, and shares the room of each pool
   * between workspaces.
   */
  claim(now: number, rooms: Rooms): Promise<readonly LeasedRow[]>
  /** Takes over a lease that was handed on; of two takers one wins. */
  take(given: Pick<LeasedRow, 'id' | 'token' | 'workspace'>, now: number): Promise<LeasedRow | undefined>
  /** @returns whether the lease still holds */
  extend(row: LeasedRow, now: number): Promise<boolean>
  /** Gives the row back, for nobody to take before `until`. */
  park(row: LeasedRow, until: number): Promise<void>
  /** Notes that an event is about to remove the row. Where none has, a later claim gives it back, to be looked at again in a minute. */
  done(row: LeasedRow, now: number): void
  /** Gives back what an earlier process of this node held: it is dead. */
  releaseOwn(): Promise<void>
  ahead(now: number): Promise<Ahead>
}

const COLUMNS = 'id, kind, subject, part, lane, due_at, lease_token as token'
/** From when on a row may be taken: once it is due, and neither leased nor put off. */
const FREE_AT = 'greatest(due_at, lease_until)'
/** `infra/postgres/migrations/011-fair-claim.ts` */
const CLAIM = { name: 'claim', text: 'select * from service.claim($1, $2, $3, $4, $5)' }
/* Those below have no names: a plan made while the agenda was short reads all of it once it is long. */
/** A row that is locked is passed over: whoever has it is about to end the lease, or has another one. */
const PARK = `with own as (
      select a.id, given.until from unnest($1::text[], $2::text[], $3::timestamptz[]) as given(id, token, until)
      join read.agenda as a on a.id = given.id and a.lease_token = given.token for update of a skip locked
    )
    update read.agenda as a set lease_token = null, lease_owner = null, lease_until = own.until
    from own where a.id = own.id`
/** Of each kind the first by the index. */
const AHEAD = `select min(first) <= $1 as overdue, min(next) as next from unnest($2::text[]) as asked(kind) cross join lateral (
    select (select min(${FREE_AT}) from read.agenda where kind || '' = asked.kind) as first,
      (select min(${FREE_AT}) from read.agenda where kind || '' = asked.kind and ${FREE_AT} > $1) as next
  ) of_kind`
const MOST_PARKED = 256
/** The read models are behind the log by less than this (ms), nearly always: the row is gone then, and with it the lease. */
const GONE_WITHIN_MS = 1_000
/** Nobody needs to look for this long (ms) at what is done, and only waits for the projector to remove it. */
const DONE_DELAY_MS = 60_000

interface Parked {
  readonly id: string
  readonly token: string
  /** ISO 8601 UTC. */
  readonly until: string
}

export function createLeases(db: Database, options: { readonly owner: string; readonly leaseMs: number }): Leases {
  const { owner, leaseMs } = options
  const kinds = JSON.stringify(WORK)
  const until = (now: number) => isoTime(now + leaseMs)

  const parkAll = async (rows: readonly Parked[]) => {
    const values = [rows.map(({ id }) => id), rows.map(({ token }) => token), rows.map(({ until }) => until)]
    await db.query(PARK, values)
    return rows.map(() => undefined)
  }
  const park = gather(parkAll, MOST_PARKED)

  /** Since `doneFrom`, ms since the epoch. */
  let done: Parked[] = []
  let doneFrom = 0
  const giveBackDone = async (now: number) => {
    if (done.length === 0 || now < doneFrom + GONE_WITHIN_MS) return
    const rows = done
    done = []
    await parkAll(rows)
  }

  return {
    claim: async (now, rooms) => {
      await giveBackDone(now)
      const values = [isoTime(now), kinds, JSON.stringify(rooms), owner, until(now)]
      return (await db.query<LeasedRow>({ ...CLAIM, values })).rows
    },
    take: async ({ id, token, workspace }, now) => {
      const { rows } = await db.query<Omit<LeasedRow, 'workspace'>>(
        `update read.agenda set lease_token = gen_random_uuid()::text, lease_owner = $3, lease_until = $4
         where id = $1 and lease_token = $2 returning ${COLUMNS}`,
        [id, token, owner, until(now)],
      )
      return rows[0] && { ...rows[0], workspace }
    },
    extend: async (row, now) => {
      const { rowCount } = await db.query(
        'update read.agenda set lease_until = $3 where id = $1 and lease_token = $2',
        [row.id, row.token, until(now)],
      )
      return rowCount === 1
    },
    park: async ({ id, token }, until) => park({ id, token, until: isoTime(until) }),
    done: ({ id, token }, now) => {
      if (done.length === 0) doneFrom = now
      done.push({ id, token, until: isoTime(now + DONE_DELAY_MS) })
    },
    releaseOwn: async () => {
      await db.query(
        `update read.agenda set lease_token = null, lease_owner = null, lease_until = null
         where id in (select id from read.agenda where lease_owner = $1 for update skip locked)`,
        [owner],
      )
    },
    ahead: async (now) => {
      const { rows } = await db.query<{ overdue: boolean | null; next: string | null }>(AHEAD, [
        isoTime(now),
        Object.keys(WORK),
      ])
      const { overdue, next } = rows[0] ?? { overdue: null, next: null }
      return { overdue: overdue ?? false, next: next === null ? undefined : Date.parse(next) }
    },
  }
}
