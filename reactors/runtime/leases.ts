import type { Database } from '../../infra/postgres/pool.ts'
import { gather } from '../../infra/postgres/gather.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { agenda, type AgendaRow } from '../../projections/agenda/agenda.ts'
import { rowFrom } from '../../projections/engine/columns.ts'
import type { Capacity } from './worker-slots.ts'
import { WORK } from './pools.ts'

export interface LeasedRow extends AgendaRow {
  /** Identifies the lease: a worker with another token has lost the row. */
  readonly token: string
  /** Whose share of the worker slots the row uses; its concurrency group if the account or webhook is unknown. */
  readonly workspace: string
}

/** When there is work to do, as far as is known. */
export interface Ahead {
  /** Whether due rows remain untaken because their concurrency groups or worker slots are full. */
  readonly overdue: boolean
  /** When the next row comes due, ms since the epoch. */
  readonly next: number | undefined
}

/** Decides who may work on which row of the agenda, and until when. Times are milliseconds since the epoch. */
export interface Leases {
  /**
   * Leases due rows, oldest first within a concurrency group and up to its cap (`pools.ts`), and divides the capacity of each
   * pool between workspaces.
   */
  claim(now: number, capacity: Capacity): Promise<readonly LeasedRow[]>
  /** Takes over a lease that was handed on; of two attempts one wins. */
  take(given: Pick<LeasedRow, 'id' | 'token' | 'workspace'>, now: number): Promise<LeasedRow | undefined>
  /** @returns whether the lease still holds */
  extend(row: LeasedRow, now: number): Promise<boolean>
  /** Releases the row; it may not be taken before `until`. If that fails, the next claim does it. */
  park(row: LeasedRow, until: number): Promise<void>
  /** Calls `listener` when rows have been parked. */
  onParked(listener: () => void): void
  /**
   * Notes that an event is about to remove the row. If none does, a later claim releases it, to be looked at again in a minute.
   */
  done(row: LeasedRow, now: number): void
  /** Notes that another process is to take over the lease. */
  handedOn(row: LeasedRow): void
  /** Notes that others may never learn of what was handed on to them: the next claim releases it. */
  suspectLost(now: number): void
  /** Releases the leases of an earlier, dead process of this node. */
  releaseOwn(): Promise<void>
  ahead(now: number): Promise<Ahead>
}

const ROW = rowFrom(agenda.columns)
/** When a row may be taken: once it is due, and neither leased nor postponed. */
const FREE_AT = 'greatest(due_at, lease_until)'
/** `infra/postgres/migrations/011-fair-claim.ts` */
const CLAIM = { name: 'claim', text: `select ${ROW}, token, workspace from service.claim($1, $2, $3, $4, $5)` }
/* The queries below are unnamed: a plan cached while the agenda is short would read all of it once it is long. */
/** Skips locked rows: the process that holds the lock is about to end the lease, or has another one. */
const PARK = `with own as (
      select a.id, given.until from unnest($1::text[], $2::text[], $3::timestamptz[]) as given(id, token, until)
      join read.agenda as a on a.id = given.id and a.lease_token = given.token for update of a skip locked
    )
    update read.agenda as a set lease_token = null, lease_owner = null, lease_until = own.until
    from own where a.id = own.id`
/** Only leases from before a fault, so that none of this moment is lost. */
const RELEASE_STRAY = `update read.agenda set lease_token = null, lease_owner = null, lease_until = null
    where id in (
      select id from read.agenda where lease_owner = $1 and lease_until <= $2 and lease_token <> all($3::text[])
      for update skip locked
    )`
/** Per kind, the first row by the index. */
const AHEAD = `select min(first) <= $1 as overdue, min(next) as next from unnest($2::text[]) as asked(kind) cross join lateral (
    select (select min(${FREE_AT}) from read.agenda where kind || '' = asked.kind) as first,
      (select min(${FREE_AT}) from read.agenda where kind || '' = asked.kind and ${FREE_AT} > $1) as next
  ) of_kind`
const MOST_PARKED = 256
/** The read models nearly always catch up within this time (ms); then the row is gone, and its lease with it. */
const GONE_WITHIN_MS = 1_000
/** How long (ms) a done row is left alone while it waits for the projector to remove it. */
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

  const listeners: (() => void)[] = []

  const parkAll = async (rows: readonly Parked[]) => {
    const values = [rows.map(({ id }) => id), rows.map(({ token }) => token), rows.map(({ until }) => until)]
    await db.query(PARK, values)
    for (const listener of listeners) listener()
    return rows.map(() => undefined)
  }
  const park = gather(parkAll, MOST_PARKED)

  /** The leases that this process works under, by token, and when each ends, ms since the epoch. */
  const held = new Map<string, number>()
  const hold = (rows: readonly LeasedRow[], now: number) => {
    for (const { token } of rows) held.set(token, now + leaseMs)
    return rows
  }
  /** Until then (ms since the epoch) this process may have leases that it does not know of. */
  let strayUntil = 0
  const suspectLost = (now: number) => void (strayUntil = now + leaseMs)
  /** Lets go of leases whose grant was lost on its way, as when the database is killed. */
  const releaseStray = async (now: number) => {
    for (const [token, until] of held) if (until < now) held.delete(token)
    if (strayUntil === 0) return
    const until = strayUntil
    const known = [...held.keys(), ...[...done, ...unreleased].map(({ token }) => token)]
    await db.query(RELEASE_STRAY, [owner, isoTime(until), known])
    // Unless more may have been lost meanwhile.
    if (strayUntil === until) strayUntil = 0
  }
  /** What a query grants. If its answer is lost, the lease may have been granted all the same. */
  const granted = async (now: number, query: Promise<{ readonly rows: readonly LeasedRow[] }>) => {
    try {
      return hold((await query).rows, now)
    } catch (error) {
      suspectLost(now)
      throw error
    }
  }

  /** Rows done since `doneFrom`, ms since the epoch. */
  let [done, doneFrom]: [Parked[], number] = [[], 0]
  /** Rows to park with the next claim. */
  let unreleased: Parked[] = []
  const giveBack = async (now: number) => {
    if (now >= doneFrom + GONE_WITHIN_MS) [done, unreleased] = [[], [...unreleased, ...done]]
    const rows = unreleased
    if (rows.length > 0) await parkAll(rows)
    unreleased = unreleased.slice(rows.length)
  }

  return {
    claim: async (now, capacity) => {
      await giveBack(now)
      await releaseStray(now)
      const values = [isoTime(now), kinds, JSON.stringify(capacity), owner, until(now)]
      return granted(now, db.query<LeasedRow>({ ...CLAIM, values }))
    },
    take: async ({ id, token, workspace }, now) => {
      const taking = db.query<LeasedRow>(
        `update read.agenda set lease_token = gen_random_uuid()::text, lease_owner = $3, lease_until = $4
         where id = $1 and lease_token = $2 returning ${ROW}, lease_token as token, $5 as workspace`,
        [id, token, owner, until(now), workspace],
      )
      return (await granted(now, taking))[0]
    },
    extend: async (row, now) => {
      const { rowCount } = await db.query(
        'update read.agenda set lease_until = $3 where id = $1 and lease_token = $2',
        [row.id, row.token, until(now)],
      )
      if (rowCount === 1) hold([row], now)
      return rowCount === 1
    },
    park: async ({ id, token }, until) => {
      const row = { id, token, until: isoTime(until) }
      held.delete(token)
      try {
        await park(row)
      } catch (error) {
        unreleased.push(row)
        throw error
      }
    },
    onParked: (listener) => void listeners.push(listener),
    done: ({ id, token }, now) => {
      if (done.length === 0) doneFrom = now
      held.delete(token)
      done.push({ id, token, until: isoTime(now + DONE_DELAY_MS) })
    },
    handedOn: ({ token }) => void held.delete(token),
    suspectLost,
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
