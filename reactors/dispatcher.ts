import type { Signals } from '../database/signal.ts'
import { PROJECTED } from '../projections/apply-batch.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import type { Hands } from './hands.ts'
import type { Leases } from './leases.ts'

/** The longest the dispatcher goes without looking at the agenda, should a signal be lost. */
const LOOK_EVERY_MS = 1_000
const RETRY_DELAY_MS = 500

/** Claims what is due as long as there are hands for it; returns how many rows it handed on. */
export async function dispatchDue(deps: {
  readonly leases: Leases
  readonly hands: Hands
  readonly clock: Clock
}): Promise<number> {
  const { leases, hands, clock } = deps
  const free = hands.free()
  if (free <= 0) return 0
  const rows = await leases.claim(clock.now(), { limit: free, maxLeased: hands.maxLeased })
  for (const row of rows) await hands.give(row)
  return rows.length
}

/** Follows the agenda until the signal aborts: looks when a read model has changed, a hand is free or a row is due. */
export async function runDispatcher(
  deps: {
    readonly leases: Leases
    readonly hands: Hands
    readonly clock: Clock
    readonly logger: Logger
    readonly signals: Signals
  },
  signal: AbortSignal,
): Promise<void> {
  const { leases, hands, clock, logger, signals } = deps
  let bell = new AbortController()
  const ring = () => bell.abort()
  const off = signals.on(PROJECTED, ring)
  hands.onFree(ring)
  signal.addEventListener('abort', ring, { once: true })
  try {
    while (!signal.aborted) {
      bell = new AbortController()
      try {
        if ((await dispatchDue(deps)) > 0) continue
        const next = await leases.nextDue()
        const wait = next === undefined ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, Math.max(5, next - clock.now()))
        await clock.sleep(hands.free() > 0 ? wait : LOOK_EVERY_MS, bell.signal)
      } catch (error) {
        logger.warn({ err: error }, 'the agenda can not be read; trying again')
        await clock.sleep(RETRY_DELAY_MS, signal)
      }
    }
  } finally {
    off()
    signal.removeEventListener('abort', ring)
  }
}
