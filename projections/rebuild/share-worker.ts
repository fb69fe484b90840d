import { parentPort, workerData } from 'node:worker_threads'
import { createEventKeys } from '../../event-log/postgres/event-keys.ts'
import { openPool, WHOLE_TABLE_MS } from '../../infra/postgres/pool.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { createVault } from '../../infra/postgres/vault.ts'
import { fixedKeyRing } from '../../infra/runtime/key-ring.ts'
import { openLog } from '../../event-log/open-log.ts'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { systemClock as clock } from '../../infra/runtime/clock.ts'
import { projections } from '../models/index.ts'
import { createBuilder } from './builder.ts'
import { shareSchema, type ShareProgress } from './share.ts'

/** A thread that builds a share of the read models: it reports its progress and exits at the end of the log. */
const { names, connectionString, eventStoreUrl, masterKeys } = shareSchema.parse(workerData)
const options = { name: 'fanfare rebuild', onError: () => undefined, queryTimeoutMs: WHOLE_TABLE_MS }
const db = openPool(connectionString, { max: 4, ...options })
const signals = listenForSignals({ connectionString, channels: [APPENDED], clock })
const vault = createVault(db, fixedKeyRing(masterKeys.map((key) => Buffer.from(key, 'base64'))))
const keys = createEventKeys({ db, vault, now: clock.now })
const log = await openLog(eventStoreUrl, { db, signals, clock, keys })
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// Waiting for that message must not keep the thread alive.
parentPort?.unref()
try {
  const builder = createBuilder({
    ...{ db, log, signal: stopping.signal },
    projections: projections.filter(({ name }) => names.includes(name)),
    progress: (events, position) => parentPort?.postMessage({ events, position } satisfies ShareProgress),
  })
  await builder.advance()
} finally {
  await log.close()
  await signals.close()
  await db.end()
}
