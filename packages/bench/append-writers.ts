import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import { EventStoreDBClient, jsonEvent, START, type Position } from '@eventstore/db-client'
import type { Pool } from 'pg'
import { migrate } from '../../infra/postgres/migrate.ts'
import { openPool } from '../../infra/postgres/pool.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { NO_STREAM } from '../../event-log/event-log.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { eventStoreDbLog } from '../../event-log/eventstoredb/log.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { given, measureAsWorker } from './child.ts'
import { ids, metadata, postQueued } from './post.ts'
import { ignoreIdle, poolOf16 } from './server.ts'
import { codecNamed } from './unchecked.ts'
import { percentile, type Measured } from './stats.ts'

/* 64 writers in one process. Each appends one event to a new stream, and the next one once that is durable. */

const WRITERS = 64
const ROUND_MS = 3_000

const DATA = postQueued('ws_01JD0000000000000000000000', 'acc_01JD0000000000000000000000')

interface Store {
  measure(): Promise<Measured>
  close(): Promise<void>
}

async function fanfare(connectionString: string, codec: 'checked' | 'unchecked'): Promise<Store> {
  await migrate(connectionString)
  const db = openPool(connectionString, { max: 4, name: 'bench', onError: ignoreIdle })
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock, codec: codecNamed(codec) })
  return {
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
          if (!rows[0]?.dense) throw new Error('there are gaps in the positions')
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

async function emmettPostgresql(connectionString: string): Promise<Store> {
  const pool = poolOf16(connectionString)
  const store = getPostgreSQLEventStore(connectionString, { connectionOptions: { pool } })
  await store.schema.migrate()
  const event = { type: 'PostQueued', data: DATA }
  return {
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

/** The same columns and indexes without ordering or checks: one prepared insert in its own transaction. */
async function bareInsert(connectionString: string): Promise<Store> {
  const pool = poolOf16(connectionString)
  await pool.query(
    `create table events (position bigint generated always as identity primary key, stream text not null,
       revision bigint not null, id uuid not null, type text not null, data json not null, metadata json not null,
       recorded_at timestamptz not null default clock_timestamp(), unique (stream, revision))`,
  )
  const text = 'insert into events (stream, revision, id, type, data, metadata) values ($1, 0, $2, $3, $4, $5)'
  return {
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

/** Fanfare's log in EventStoreDB. */
async function eventStoreDb(url: string): Promise<Store> {
  const log = eventStoreDbLog({ connectionString: url, clock: systemClock })
  const { count, close } = countingIn(url)
  const append = (stream: string) =>
    log.append(stream, [{ id: crypto.randomUUID(), type: 'PostQueued', data: DATA, metadata: metadata() }], NO_STREAM)
  return {
    measure: () => appending(append, count),
    close: () => Promise.all([log.close(), close()]).then(() => undefined),
  }
}

/** EventStoreDB's own client with the same events. */
async function eventStoreDbClient(url: string): Promise<Store> {
  const client = EventStoreDBClient.connectionString(url as `esdb://${string}`)
  const { count, close } = countingIn(url)
  const append = (stream: string) =>
    client.appendToStream(stream, jsonEvent({ type: 'PostQueued', data: DATA, metadata: { ...metadata() } }), {
      expectedRevision: 'no_stream',
    })
  return {
    measure: () => appending(append, count),
    close: () => Promise.all([client.dispose(), close()]).then(() => undefined),
  }
}

/** Counts the posts in EventStoreDB, each once. */
function countingIn(url: string) {
  const client = EventStoreDBClient.connectionString(url as `esdb://${string}`)
  let last: Position | undefined
  let counted = 0
  return {
    count: async () => {
      const before = last
      for await (const { event } of client.readAll({ fromPosition: before ?? START })) {
        // It begins with the event at that position.
        if (!event || event.position.commit === before?.commit) continue
        if (event.type === 'PostQueued') counted += 1
        last = event.position
      }
      return counted
    },
    close: () => client.dispose(),
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
  if (stored !== latencies.length)
    throw new Error(`${latencies.length} appends were acknowledged, but ${stored} were stored`)
  return { perSecond: stored / seconds, p50: percentile(latencies, 50), p99: percentile(latencies, 99) }
}

async function countRows(pool: Pool, table: string): Promise<number> {
  return Number((await pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
}

const STORES: Readonly<Record<string, (connectionString: string) => Promise<Store>>> = {
  fanfare: (connectionString) => fanfare(connectionString, 'checked'),
  unchecked: (connectionString) => fanfare(connectionString, 'unchecked'),
  emmett: emmettPostgresql,
  bare: bareInsert,
  eventstoredb: eventStoreDb,
  'eventstoredb-client': eventStoreDbClient,
}

const store = await STORES[given('STORE')]?.(given('STORE_URL'))
if (!store) throw new Error(`unknown store ${given('STORE')}`)
await measureAsWorker(store.measure)
await store.close()
