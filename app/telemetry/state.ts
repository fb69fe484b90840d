import type { Pool } from 'pg'
import type { Database } from '../../infra/postgres/pool.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import { progressOf } from '../../projections/engine/tables.ts'
import { waitingSince, type Interest } from '../../reactors/runtime/follower-checkpoint.ts'
import type { NatsSlots } from '../../reactors/runtime/nats-slots.ts'
import { WORK } from '../../reactors/runtime/pools.ts'
import { isoTime, type Clock } from '../../infra/runtime/clock.ts'
import type { Part, Sample } from './scraped-parts.ts'

/* State that is read at each scrape. All processes share the database, so each of them reports the same. */

/** Due work that is not leased. Served by the index on when rows may be leased. */
export function agendaPart(db: Database, clock: Clock): Part {
  return {
    name: 'agenda',
    asks: true,
    read: async () => {
      const now = clock.now()
      const { rows } = await db.query<{ kind: string; due: number; oldest: string }>(
        `select kind, count(*)::int as due, min(greatest(due_at, lease_until)) as oldest
         from read.agenda where greatest(due_at, lease_until) < $1 group by kind`,
        [isoTime(now)],
      )
      const found = new Map(rows.map((row) => [row.kind, row]))
      return Object.keys(WORK).flatMap((kind): Sample[] => {
        const { due = 0, oldest = isoTime(now) } = found.get(kind) ?? {}
        const seconds = Math.max(0, now - Date.parse(oldest)) / 1000
        return [
          { name: 'fanfare_agenda_due_rows', labels: { kind }, value: due },
          { name: 'fanfare_agenda_oldest_due_seconds', labels: { kind }, value: seconds },
        ]
      })
    },
  }
}

export function deliveriesPart(db: Database): Part {
  return {
    name: 'deliveries',
    asks: true,
    read: async () => {
      // By lane, which is indexed, so that rows of other kinds are mostly not read.
      const { rows } = await db.query<{ deliver: number; redeliver: number }>(
        `select (select count(*)::int from read.agenda where lane like 'deliver/%') as deliver,
           (select count(*)::int from read.agenda where lane like 'redeliver/%') as redeliver`,
      )
      return Object.entries(rows[0] ?? {}).map(([kind, value]) => ({
        name: 'fanfare_deliveries_pending',
        labels: { kind },
        value,
      }))
    },
  }
}

export function accountsPart(db: Database, clock: Clock): Part {
  return {
    name: 'accounts',
    asks: true,
    read: async () => {
      const { rows } = await db.query<{ platform: string; standing: string; accounts: number }>(
        `select platform, case when needs_reauth is not null then 'needs_reauth'
           when rests_until > $1 then 'resting' else 'ok' end as standing, count(*)::int as accounts
         from read.accounts where connected group by 1, 2`,
        [isoTime(clock.now())],
      )
      return rows.map(({ accounts, ...labels }) => ({ name: 'fanfare_accounts', labels, value: accounts }))
    },
  }
}

/** @param head the last position of a log with dense positions; absent if positions are not dense */
export function projectionsPart(
  db: Database,
  clock: Clock,
  { timeOfNext, head }: { timeOfNext(position: bigint): Promise<number | undefined>; head?: () => Promise<bigint> },
): Part {
  return {
    name: 'projections',
    asks: true,
    read: async () => {
      const { position, halted } = await progressOf(db)
      const { rows } = await db.query<{ name: string; position: string }>('select name, position from read.checkpoints')
      const next = await timeOfNext(position)
      const last = await head?.()
      return [
        { name: 'fanfare_projections_halted', labels: {}, value: Object.keys(halted).length },
        {
          name: 'fanfare_projections_lag_seconds',
          labels: {},
          value: next === undefined ? 0 : Math.max(0, clock.now() - next) / 1000,
        },
        ...rows.map(({ name, position }): Sample => ({
          name: 'fanfare_projection_position',
          labels: { projection: name },
          value: Number(position),
        })),
        ...(last === undefined
          ? []
          : [
              {
                name: 'fanfare_projections_behind_events',
                labels: {},
                value: Math.max(0, Number(last - position)),
              } as const,
            ]),
      ]
    },
  }
}

export function followerPart<T>(db: Database, log: EventLog, clock: Clock, interest: Interest<T>): Part {
  return {
    name: interest.name,
    asks: true,
    read: async () => {
      const since = await waitingSince({ db, log }, interest)
      const value = since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000
      return [{ name: 'fanfare_follower_lag_seconds', labels: { follower: interest.name }, value }]
    },
  }
}

/** What this process knows without any query. */
export function processPart(own: {
  readonly pools: Readonly<Record<string, Pool>>
  readonly nats: NatsSlots | undefined
  readonly build: { readonly version: string; readonly node: string; readonly roles: string }
}): Part {
  return {
    name: 'process',
    asks: false,
    read: () => [
      { name: 'fanfare_build_info', labels: own.build, value: 1 },
      ...(own.nats
        ? [{ name: 'fanfare_nats_connected', labels: {}, value: own.nats.connected() ? 1 : 0 } as const]
        : []),
      ...Object.entries(own.pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]): Sample[] => [
        { name: 'fanfare_db_connections', labels: { pool, state: 'active' }, value: totalCount - idleCount },
        { name: 'fanfare_db_connections', labels: { pool, state: 'idle' }, value: idleCount },
        { name: 'fanfare_db_waiting', labels: { pool }, value: waitingCount },
      ]),
    ],
  }
}
