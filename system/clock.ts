import { setTimeout as wait } from 'node:timers/promises'

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
  sleep: async (ms, signal) => {
    try {
      await wait(Math.min(Math.max(0, ms), LONGEST_SLEEP), undefined, signal ? { signal } : {})
    } catch (error) {
      if (!signal?.aborted) throw error
    }
  },
}

/** ISO 8601 UTC with milliseconds, the only form of time that leaves the service. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
