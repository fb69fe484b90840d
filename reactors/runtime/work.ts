import { setMaxListeners } from 'node:events'
import type { WorkKind } from '../../projections/agenda/agenda.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Hand } from './hands.ts'
import type { LeasedRow, Leases } from './leases.ts'
import type { Reactor } from './reactor.ts'

/** After a fault (the log or the database away, a bug) a row rests this long before it is tried again. */
const FAULT_DELAY_MS = 5_000
/** Whatever somebody else's clock or answer came to: nothing is put off for longer, and looked at again then. */
const LONGEST_REST_MS = 366 * 86_400_000

/**
 * Runs one leased row to its end, keeping the lease alive meanwhile. When the lease is lost the reactor's signal aborts;
 * when the service stops, too, and the row is given back.
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
  hand?: Hand,
): Promise<void> {
  const { leases, reactors, clock, logger, leaseMs } = deps
  const ended = new AbortController()
  // Not `AbortSignal.any`: of a signal that lives as long as the process it remembers each one that was made of it.
  const over = new AbortController()
  const stop = () => over.abort(signal.reason)
  if (signal.aborted) stop()
  setMaxListeners(0, signal)
  signal.addEventListener('abort', stop, { once: true })
  const keepAlive = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(leaseMs / 3, ended.signal)
      if (ended.signal.aborted) return
      // A database that does not answer decides nothing: the guard is in the log, not in the lease.
      const held = await leases.extend(row, clock.now()).catch(() => true)
      if (!held) over.abort()
    }
  }
  const keeping = keepAlive()
  let until: number
  try {
    const result = await reactors[row.kind](row, over.signal, hand)
    if (result.kind === 'done') return leases.done(row, clock.now())
    until = Math.min(result.until, clock.now() + LONGEST_REST_MS)
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error, row: row.id }, 'work interrupted; it is tried again')
    until = clock.now() + (signal.aborted ? 0 : FAULT_DELAY_MS)
  } finally {
    signal.removeEventListener('abort', stop)
    // With a reason: making the default one costs more than all the rest.
    ended.abort('ended')
    await keeping
  }
  // Should it fail, the lease ends by itself.
  await leases
    .park(row, until)
    .catch((error: unknown) => logger.warn({ err: error, row: row.id }, 'a lease could not be given back'))
}
