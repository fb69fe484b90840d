import t from 'tap'
import { migrate } from '../infra/postgres/migrate.ts'
import { openPool, type Database } from '../infra/postgres/pool.ts'
import { listenForSignals, RECONNECTED, type Signals } from '../infra/postgres/signal.ts'
import { eventStoreDbLog } from '../event-log/eventstoredb/log.ts'
import { NO_STREAM, START } from '../event-log/event-log.ts'
import { APPENDED } from '../event-log/postgres/append.ts'
import { postgresLog } from '../event-log/postgres/log.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import { eventLogContract, type ContractLog } from './support/event-log-contract.ts'
import { EVENTSTOREDB, givenEventStoreDb } from './support/eventstoredb-server.ts'
import { eventStoreDbStandIn } from './support/eventstoredb-stand-in.ts'
import { memoryLog, memoryLogData, setReachable } from './support/memory-log.ts'
import { indexes, newEvent, newEvents } from './support/event-log-helpers.ts'
import { emptyDatabase, testDatabase } from './support/postgres.ts'
import { tcpGate } from './support/tcp-gate.ts'

/** Every implementation, and how to open it. */
const logs: readonly { readonly name: string; readonly open: () => Promise<ContractLog> }[] = [
  { name: 'in memory', open: openMemory },
  { name: 'Postgres', open: openPostgres },
  { name: 'EventStoreDB, its stand-in', open: openStandIn },
  ...(EVENTSTOREDB ? [{ name: 'EventStoreDB', open: openServer }] : []),
]

for (const { name, open } of logs) void eventLogContract(t, name, open)

t.test('given an append that Postgres refuses, when it comes among good ones, then it alone fails', async (t) => {
  const { db, signals } = await testDatabase(t)
  const log = postgresLog({ db, signals, clock: systemClock })
  t.teardown(() => log.close())
  const bad = { ...newEvent(), id: 'no UUID' }
  const outcomes = await Promise.allSettled([
    log.append('c-1', newEvents(2), -1),
    log.append('c-2', [bad], -1),
    log.append('c-3', newEvents(1), -1),
  ])
  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.equal((await log.read('c-1')).length, 2)
  t.same(await log.read('c-2'), [])
})

t.test(
  'given a reader that is behind, when others append while it is at a page, then it gets caught-up only after that',
  async (t) => {
    const { db, signals } = await testDatabase(t)
    const open = () => postgresLog({ db, signals, clock: systemClock })
    const [log, others] = [open(), open()]
    t.teardown(() => Promise.all([log.close(), others.close()]))
    await others.append('c-1', newEvents(20), -1)
    const seen: number[] = []
    for await (const delivery of log.subscribe(START, { batchSize: 7 })) {
      if (delivery.kind === 'caught-up') break
      seen.push(...delivery.events.map(({ revision }) => revision))
      // The page after this one is the last, and may have been read by now.
      if (seen.length === 14) await others.append('c-1', newEvents(3), 19)
    }
    t.same(seen, indexes(23))
  },
)

t.test('given a reader that never looks by itself', async (t) => {
  const { db } = await testDatabase(t)
  const [signals, elsewhere] = [bus(), bus()]
  let asked = 0
  const watched = {
    connect: () => db.connect(),
    query: (...query: Parameters<Database['query']>) => {
      if ((query[0] as { name?: string }).name === 'page') asked += 1
      return db.query(...query)
    },
  } as Database
  const clock = { ...systemClock, sleep: (_ms: number, signal?: AbortSignal) => aborted(signal) }
  const log = postgresLog({ db: watched, signals, clock })
  const others = postgresLog({ db, signals, clock })
  const unheard = postgresLog({ db, signals: elsewhere, clock })
  const deliveries = log.subscribe(START)[Symbol.asyncIterator]()
  t.teardown(() => Promise.all([log.close(), others.close(), unheard.close()]))
  /** How often the database is asked until this many events have come. */
  const askedFor = async (count: number) => {
    const before = asked
    for (let events = 0; events < count;) {
      const { value } = await deliveries.next()
      if (value?.kind === 'events') events += value.events.length
    }
    return asked - before
  }
  await others.append('c-1', newEvents(3), NO_STREAM)
  t.equal(await askedFor(3), 1)
  t.same(await deliveries.next(), { done: false, value: { kind: 'caught-up', position: 3n } })

  await t.test('when its own process appends, then it has that without asking the database', async (t) => {
    for (const revision of [NO_STREAM, 1, 3]) {
      const asking = askedFor(2)
      await log.append('c-2', newEvents(2), revision)
      t.equal(await asking, 0)
    }
  })

  await t.test('when another process appends, then it learns the position, and reads', async (t) => {
    const asking = askedFor(2)
    await others.append('c-1', newEvents(2), 2)
    t.equal(await asking, 1)
  })

  await t.test('when it learns of what it has read, then it does not read again', async (t) => {
    const asking = askedFor(1)
    signals.send(APPENDED, '3')
    await log.append('c-2', newEvents(1), 5)
    t.equal(await asking, 0)
  })

  await t.test('when signals may have been lost, then it asks', async (t) => {
    await unheard.append('c-1', newEvents(1), 4)
    for (const payload of [RECONNECTED, '']) {
      const asking = askedFor(payload === '' ? 1 : 2)
      await unheard.append('c-3', newEvents(1), payload === '' ? 0 : NO_STREAM)
      signals.send(APPENDED, payload)
      t.ok((await asking) > 0)
    }
  })
})

/** Signals of one process. */
function bus(): Signals {
  const listeners = new Set<(payload: string) => void>()
  return {
    on: (_channel, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: (_channel, payload = '') => listeners.forEach((listener) => listener(payload)),
    close: async () => undefined,
  }
}

function aborted(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
}

async function openMemory(): Promise<ContractLog> {
  const data = memoryLogData()
  return {
    log: memoryLog(data),
    reopen: async () => memoryLog(data),
    concurrentWriters: async (count) => Array.from({ length: count }, () => memoryLog(data)),
    outage: {
      start: async () => setReachable(data, false),
      end: async () => setReachable(data, true),
      within: 0,
    },
  }
}

async function openPostgres(): Promise<ContractLog> {
  const connectionString = await emptyDatabase(t)
  await migrate(connectionString)
  const server = new URL(connectionString)
  const gate = await tcpGate(Number(server.port || 5432))
  const throughGate = new URL(connectionString)
  throughGate.port = String(gate.port)
  const closings: (() => Promise<void>)[] = []
  const openAt = (url: string) => {
    const db = openPool(url, { max: 4, name: 'contract', onError: () => undefined })
    const signals = listenForSignals({ connectionString: url, channels: [APPENDED], clock: systemClock })
    closings.push(async () => {
      await signals.close()
      await db.end()
    })
    return postgresLog({ db, signals, clock: systemClock })
  }
  return {
    log: openAt(throughGate.href),
    reopen: async () => openAt(connectionString),
    concurrentWriters: async (count) => Array.from({ length: count }, () => openAt(connectionString)),
    outage: { start: gate.shut, end: gate.open, within: 6_000 },
    close: async () => {
      for (const close of closings) await close()
      await gate.shut()
    },
  }
}

async function openStandIn(): Promise<ContractLog> {
  const server = await eventStoreDbStandIn()
  return {
    ...storeAt(server.connectionString),
    outage: { start: server.stop, end: server.start, within: 5_000 },
    close: server.close,
  }
}

async function openServer(): Promise<ContractLog> {
  const server = await givenEventStoreDb(t)
  return { ...storeAt(server.connectionString), outage: { start: server.stop, end: server.start, within: 5_000 } }
}

function storeAt(connectionString: string): ContractLog {
  const open = () => eventStoreDbLog({ connectionString, clock: systemClock })
  return {
    log: open(),
    reopen: async () => open(),
    concurrentWriters: async (count) => Array.from({ length: count }, open),
  }
}
