import { systemClock, type Clock } from '../../infra/runtime/clock.ts'

/** The real clock, on which every sleep of a given length can be made to end now. So no test waits for a time-out. */
export interface ExpiringClock extends Clock {
  /** Ends the sleeps of exactly `ms` that are going on; says how many there were. */
  expire(ms: number): number
}

export function expiringClock(): ExpiringClock {
  const sleeps = new Set<{ readonly ms: number; readonly end: AbortController }>()
  return {
    now: systemClock.now,
    sleep: async (ms, signal) => {
      const sleep = { ms, end: new AbortController() }
      sleeps.add(sleep)
      await systemClock.sleep(ms, signal ? AbortSignal.any([signal, sleep.end.signal]) : sleep.end.signal)
      sleeps.delete(sleep)
    },
    expire: (ms) => {
      const ending = [...sleeps].filter((sleep) => sleep.ms === ms)
      for (const { end } of ending) end.abort('expired')
      return ending.length
    },
  }
}
