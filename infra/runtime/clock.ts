/** The only source of time. All code outside `infra/runtime/` gets it passed in. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms`, or immediately (without an error) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Above this, `setTimeout` overflows and fires immediately. */
const LONGEST_SLEEP = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `timers/promises`: it creates an error for every sleep that is cut short, which costs a hundred times the sleep itself.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.min(Math.max(0, ms), LONGEST_SLEEP))
      signal?.addEventListener('abort', wake, { once: true })
    }),
}

/** Resolves when the work settles or after `ms`, whichever comes first; leaves no timer behind. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  )
  await Promise.race([ended, clock.sleep(ms, done.signal)])
}

/** ISO 8601 UTC with milliseconds, the only time format the service emits. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
