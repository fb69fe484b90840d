import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import type { Pool } from 'pg'
import { migrate } from '../database/migrate.ts'
import { openPool } from '../database/pool.ts'
import { listenForSignals } from '../database/signal.ts'
import { NO_STREAM } from '../event-log/event-log.ts'
import { APPENDED, postgresLog } from '../event-log/postgres.ts'
import { systemClock } from '../system/clock.ts'
import { ids, metadata, postQueued } from './post.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { ignoreIdle, poolOf16, type Server } from './server.ts'
import { percentile, type Measured } from './stats.ts'

const WRITERS = 64
const ROUND_MS = 3_000

const DATA = postQueued('ws_01JD0000000000000000000000', 'acc_01JD0000000000000000000000')

/** 64 writers in one process, each appending one event to a new stream, then the next once that one is durable. */
export async function benchAppend(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const [ours, emmett, bare] = [await fanfare(server), await emmettPostgresql(server), await bareInsert(server)]
  try {
    const [a = [], b = [], c = []] = await takeTurns([ours, emmett, bare], options)
    const mine = { name: ours.name, rounds: a }
    const what = `append, ${WRITERS} writers`
    return [
      compare(what, 'events/s', mine, { name: emmett.name, rounds: b }, { ratio: 7 }),
      compare(what, 'events/s', mine, { name: bare.name, rounds: c }, { ratio: 3 }),
    ]
  } finally {
    for (const { close } of [ours, emmett, bare]) await close()
  }
}

interface Store extends Contender {
  close(): Promise<void>
}

async function fanfare(server: Server): Promise<Store> {
  const connectionString = await server.database('append_fanfare')
  await migrate(connectionString)
  const db = openPool(connectionString, { max: 4, name: 'bench', onError: ignoreIdle })
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  return {
    name: 'Fanfare',
    measure: () =>
      appending(
        (stream) =>
          log.append(
            stream,
            [{ id: crypto.randomUUID(), type: 'PostQueued', data: DATA, metadata: metadata() }],
            NO_STREAM,
          ),
        async () => {
          const { rows } = await db.query<{ count: string; dense: boolean }>(
            'select count(*), coalesce(max(position) = count(*) and min(position) = 1, true) as dense from log.events',
          )
          if (!rows[0]?.dense) throw new Error('the positions have gaps')
          return Number(rows[0].count)
        },
      ),
    close: async () => {
      await log.close()
      await signals.close()
      await db.end()
    },
  }
}

async function emmettPostgresql(server: Server): Promise<Store> {
  const connectionString = await server.database('append_emmett')
  const pool = poolOf16(connectionString)
  const store = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } })
  await store.schema.migrate()
  const event = { type: 'PostQueued', data: DATA }
  return {
    name: 'emmett-postgresql',
    measure: () =>
      appending(
        (stream) => store.appendToStream(stream, [event], { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' }),
        () => countRows(pool, 'emt_messages'),
      ),
    close: async () => {
      await store.close()
      await pool.end()
    },
  }
}

/** The same columns and indexes, no order and no checks: one prepared insert, committed by itself. */
async function bareInsert(server: Server): Promise<Store> {
  const pool = poolOf16(await server.database('append_bare'))
  await pool.query(
    `create table events (position bigint generated always as identity primary key, stream text not null,
       revision bigint not null, id uuid not null, type text not null, data json not null, metadata json not null,
       recorded_at timestamptz not null default clock_timestamp(), unique (stream, revision))`,
  )
  const text = 'insert into events (stream, revision, id, type, data, metadata) values ($1, 0, $2, $3, $4, $5)'
  return {
    name: 'bare insert and commit',
    measure: () =>
      appending(
        (stream) => {
          const values = [stream, crypto.randomUUID(), 'PostQueued', JSON.stringify(DATA), JSON.stringify(metadata())]
          return pool.query({ name: 'insert', text, values })
        },
        () => countRows(pool, 'events'),
      ),
    close: () => pool.end(),
  }
}

async function appending(
  append: (stream: string) => Promise<unknown>,
  count: () => Promise<number>,
): Promise<Measured> {
  const before = await count()
  const latencies: number[] = []
  const start = performance.now()
  const writer = async () => {
    for (let now = performance.now(); now - start < ROUND_MS;) {
      await append(`post-${ids.ulid()}`)
      const done = performance.now()
      latencies.push(done - now)
      now = done
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  const seconds = (performance.now() - start) / 1000
  const stored = (await count()) - before
  if (stored !== latencies.length) throw new Error(`${latencies.length} appends were acknowledged, ${stored} stored`)
  return { perSecond: stored / seconds, p50: percentile(latencies, 50), p99: percentile(latencies, 99) }
}

async function countRows(pool: Pool, table: string): Promise<number> {
  return Number((await pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
}
