import type { Clock } from '../infra/runtime/clock.ts'
import { LogUnavailable } from './event-log.ts'

/**
 * Resolves to the result of `work`, or throws LogUnavailable if it takes longer than `ms` or the signal aborts first. Does not
 * stop the work itself.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  what: string,
  work: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const done = new AbortController()
  const sleeping = clock.sleep(ms, signal ? AbortSignal.any([signal, done.signal]) : done.signal)
  const tooLate = sleeping.then((): Promise<never> => {
    // The work was in time: an error for nobody would cost more than all the rest.
    if (done.signal.aborted) return new Promise(() => undefined)
    throw new LogUnavailable(signal?.aborted ? `${what}: cancelled` : `${what}: no response within ${ms} ms`)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    // An explicit reason, because the default one is an error, too.
    done.abort('done')
  }
}
