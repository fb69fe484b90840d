import type { Clock } from '../infra/runtime/clock.ts'
import { LogUnavailable } from './event-log.ts'

/**
 * The result of `work`, unless it takes longer than `ms` or the signal aborts first: then LogUnavailable. The work
 * itself is not stopped.
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
  const tooLate = sleeping.then((): never => {
    throw new LogUnavailable(signal?.aborted ? `${what}: given up` : `${what}: no answer in ${ms} ms`)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    // With a reason, as making the default one costs more than all the rest.
    done.abort('done')
  }
}
