import { sweepIdempotencyKeys } from '../api/idempotency.ts'
import { createCursors } from '../api/pagination.ts'
import { sweepRateWindows } from '../api/rate-limit.ts'
import { buildServer } from '../api/server.ts'
import type { Core } from '../main.ts'
import { createPreview } from '../reactors/preview.ts'
import { runDispatcher } from '../reactors/dispatcher.ts'
import { localHands } from '../reactors/hands.ts'
import { createLeases } from '../reactors/leases.ts'
import { natsHands, type NatsHands } from '../reactors/nats-hands.ts'
import { publishReactor } from '../reactors/publish.ts'
import { work } from '../reactors/work.ts'
import { atMost } from '../system/clock.ts'
import type { Role } from '../system/settings.ts'
import { healthChecks } from './health-checks.ts'

export interface Service {
  /** Of the API, when that role runs here. */
  readonly url: string | undefined
  /** Takes no new work, finishes or gives back what runs, all within 25 s. */
  stop(): Promise<void>
}

/** A worker that dies is noticed by its lease after this time (ms); what it had begun is then settled by another. */
const LEASE_MS = 30_000
/** Posts of one account under way at once, so that no account keeps the hands from the others. */
const PER_LANE = 4
/** What runs at a stop has this long (ms) to end by itself before it is cut off and given back. */
const STOP_PATIENCE_MS = 20_000
const SWEEP_EVERY_MS = 3_600_000

/** Runs roles of the service in this process until it is stopped. */
export async function startService(core: Core, roles: readonly Role[]): Promise<Service> {
  const { clock, logger, projector } = core
  const stopping = new AbortController()
  const running: Promise<void>[] = [sweep(core, stopping.signal)]
  const nats: NatsHands[] = []
  const finish: (() => Promise<void>)[] = []

  if (roles.includes('projections')) running.push(projector.run(stopping.signal))
  if (roles.includes('reactors')) {
    const reactors = await startReactors(core, stopping.signal)
    running.push(reactors.dispatching)
    finish.push(reactors.finish)
    if (reactors.nats) nats.push(reactors.nats)
  }
  const app = roles.includes('api') ? await startApi(core, nats) : undefined

  return {
    url: app?.url,
    stop: async () => {
      await app?.close()
      stopping.abort()
      await atMost(clock, STOP_PATIENCE_MS + 2_000, Promise.all(finish.map((end) => end())))
      await atMost(clock, 2_000, Promise.all(running))
      logger.info({}, 'stopped')
    },
  }
}

async function startApi(core: Core, nats: readonly NatsHands[]): Promise<{ url: string; close(): Promise<void> }> {
  const { settings, clock, ids, logger, db, log, seen, encryptionKey } = core
  const app = buildServer({
    services: { db, log, clock, seen, cursors: createCursors(encryptionKey), previewPost: createPreview(core) },
    ids,
    clock,
    logger,
    health: healthChecks(core, nats),
    limits: { perMinute: settings.RATE_LIMIT_PER_MINUTE, perDay: settings.RATE_LIMIT_PER_DAY },
    trustProxy: settings.TRUST_PROXY === 'on',
    publicUrl: settings.PUBLIC_URL,
  })
  const address = await app.listen({ port: settings.PORT, host: settings.HOST })
  return { url: settings.PUBLIC_URL ?? address, close: () => app.close() }
}

async function startReactors(core: Core, stopping: AbortSignal) {
  const { settings, clock, logger, db, log, signals, access } = core
  const cutOff = new AbortController()
  const leases = createLeases(db, { owner: settings.NODE_NAME, leaseMs: LEASE_MS, perLane: PER_LANE })
  await leases.releaseOwn()
  const publish = publishReactor({ log, clock, access, logger, policy: { delaysMs: settings.RETRY_DELAYS } })
  const deps = { leases, reactors: { publish }, clock, logger, leaseMs: LEASE_MS }
  const local = localHands(settings.WORKER_CONCURRENCY, (row) => work(deps, row, cutOff.signal))
  const nats = settings.NATS_URL
    ? await natsHands({
        url: settings.NATS_URL,
        local,
        leases,
        clock,
        logger,
        window: 4 * settings.WORKER_CONCURRENCY,
        signal: stopping,
      })
    : undefined
  const hands = nats ?? local
  return {
    nats,
    dispatching: runDispatcher({ leases, hands, clock, logger, signals }, stopping),
    finish: async () => {
      await atMost(clock, STOP_PATIENCE_MS, hands.idle())
      cutOff.abort()
      await hands.idle()
      await nats?.close()
    },
  }
}

/** Deletes what time has made useless. */
async function sweep({ db, media, clock, logger }: Core, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await media.sweep(SWEEP_EVERY_MS)
      await sweepIdempotencyKeys(db, clock.now())
      await sweepRateWindows(db, clock.now())
    } catch (error) {
      logger.warn({ err: error }, 'what is no longer needed could not be swept; trying again in an hour')
    }
    await clock.sleep(SWEEP_EVERY_MS, signal)
  }
}
