import { setMaxListeners } from 'node:events'
import type { WorkKind } from '../../projections/agenda/agenda.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { WorkerSlot } from './worker-slots.ts'
import type { LeasedRow, Leases } from './leases.ts'
import type { Reactor } from './reactor.ts'

/** Delay (ms) before a row is retried after a fault (the log or the database unavailable, a bug). */
const FAULT_DELAY_MS = 5_000
/** Longest delay (ms) of a row, whatever a foreign clock or response asks for. */
const LONGEST_REST_MS = 366 * 86_400_000

/**
 * Runs one leased row to its end, renewing the lease meanwhile. The reactor's signal aborts when the lease is lost, and when the
 * service stops; then the row is released.
 */
export async function work(
  deps: {
    readonly leases: Leases
    readonly reactors: Readonly<Record<WorkKind, Reactor>>
    readonly clock: Clock
    readonly logger: Logger
    readonly leaseMs: number
  },
  row: LeasedRow,
  signal: AbortSignal,
  slot?: WorkerSlot,
): Promise<void> {
  const { leases, reactors, clock, logger, leaseMs } = deps
  const ended = new AbortController()
  // Not `AbortSignal.any`: a signal that lives as long as the process retains every signal derived from it.
  const over = new AbortController()
  const stop = () => over.abort(signal.reason)
  if (signal.aborted) stop()
  setMaxListeners(0, signal)
  signal.addEventListener('abort', stop, { once: true })
  const keepAlive = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(leaseMs / 3, ended.signal)
      if (ended.signal.aborted) return
      // An unavailable database proves nothing: the guard is in the log, not in the lease.
      const held = await leases.extend(row, clock.now()).catch(() => true)
      if (!held) over.abort()
    }
  }
  const keeping = keepAlive()
  let until: number
  try {
    const result = await reactors[row.kind](row, over.signal, slot)
    if (result.kind === 'done') return leases.done(row, clock.now())
    until = Math.min(result.until, clock.now() + LONGEST_REST_MS)
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error, row: row.id }, 'work interrupted; trying again')
    until = clock.now() + (signal.aborted ? 0 : FAULT_DELAY_MS)
  } finally {
    signal.removeEventListener('abort', stop)
    // Pass a reason: creating the default one costs more than all the rest.
    ended.abort('ended')
    await keeping
  }
  await leases
    .park(row, until)
    .catch((error: unknown) => logger.warn({ err: error, row: row.id }, 'a lease could not be released'))
}
