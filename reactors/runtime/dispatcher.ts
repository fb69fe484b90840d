import type { Signals } from '../../infra/postgres/signal.ts'
import { ABOUT_TO_BE_DUE_MS, DUE, FREED } from '../../projections/agenda/agenda.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { WorkerSlots } from './worker-slots.ts'
import type { Ahead, Leases } from './leases.ts'
import { POOLS } from './pools.ts'

/** Longest interval between looks at the agenda: a row that was written longer before it is due sends no signal. */
const LOOK_EVERY_MS = ABOUT_TO_BE_DUE_MS
const RETRY_DELAY_MS = 500
/**
 * Delay while due rows wait for others of their concurrency group. A worker slot freed in this process wakes the dispatcher; one
 * freed elsewhere does not.
 */
const LANE_FULL_MS = 250
/** Longest pause between two claims. */
const LONGEST_REST_MS = 50

/** Claims due rows as long as there are worker slots for them; returns how many rows it dispatched. */
export async function dispatchDue(deps: {
  readonly leases: Leases
  readonly slots: WorkerSlots
  readonly clock: Clock
}): Promise<number> {
  const { leases, slots, clock } = deps
  const capacity = slots.capacity()
  if (POOLS.every((pool) => capacity[pool].free <= 0)) return 0
  const rows = await leases.claim(clock.now(), capacity)
  await Promise.all(rows.map((row) => slots.give(row)))
  return rows.length
}

/** Follows the agenda until the signal aborts: looks when a row is due, or may be taken because others have ended. */
export async function runDispatcher(
  deps: {
    readonly leases: Leases
    readonly slots: WorkerSlots
    readonly clock: Clock
    readonly logger: Logger
    readonly signals: Signals
  },
  signal: AbortSignal,
): Promise<void> {
  const { leases, slots, clock, logger, signals } = deps
  let bell = new AbortController()
  // Pass a reason: creating the default one costs more than all the rest.
  const ring = () => bell.abort('ring')
  /** Whether due rows may be waiting for a worker slot, or for others of their concurrency group. */
  let isWaiting = true
  const ringIfWaiting = () => isWaiting && ring()
  const offs = [signals.on(DUE, ring), signals.on(FREED, ringIfWaiting)]
  slots.onFree(ringIfWaiting)
  leases.onParked(ring)
  signal.addEventListener('abort', ring, { once: true })
  try {
    while (!signal.aborted) {
      bell = new AbortController()
      try {
        const began = clock.now()
        isWaiting = true
        const given = await dispatchDue(deps)
        if (given > 0) {
          // Pause for as long as the claim took, so that rows and worker slots that come up meanwhile share the next one.
          await clock.sleep(Math.min(clock.now() - began, LONGEST_REST_MS), signal)
          if (bell.signal.aborted) continue
        }
        const now = clock.now()
        const ahead = await leases.ahead(now)
        isWaiting = ahead.overdue
        await clock.sleep(untilNext(ahead, now), bell.signal)
      } catch (error) {
        logger.warn({ err: error }, 'the agenda could not be read; trying again')
        await clock.sleep(RETRY_DELAY_MS, signal)
      }
    }
  } finally {
    for (const off of offs) off()
    signal.removeEventListener('abort', ring)
  }
}

function untilNext({ overdue, next = Infinity }: Ahead, now: number): number {
  return Math.min(overdue ? LANE_FULL_MS : LOOK_EVERY_MS, next - now)
}
