/** The one source of time. Everything outside `system/` is handed one. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms`, or at once (without an error) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** `setTimeout` overflows beyond this and fires at once. */
const LONGEST_SLEEP = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `timers/promises`: it makes an error of every sleep that is ended early, which costs a hundred times the sleep.
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

/** Resolves when the work does, whatever came of it, or after `ms`; no timer is left behind. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const ended = work.then(
    () => done.abort(),
    () => done.abort(),
  )
  await Promise.race([ended, clock.sleep(ms, done.signal)])
}

/** ISO 8601 UTC with milliseconds, the only form of time that leaves the service. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
