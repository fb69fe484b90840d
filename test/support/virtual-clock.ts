import type { Clock } from '../../infra/runtime/clock.ts'

export interface VirtualClock extends Clock {
  /** Lets the time pass, waking who sleeps on the way, in order. */
  advanceTo(ms: number): Promise<void>
}

/** A clock that stands still until it is told to go on: weeks pass in no time, and the same way each time. */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let now = start
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve()
        const sleeper = {
          at: now + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
    advanceTo: async (ms) => {
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= ms).sort((a, b) => a.at - b.at)
        if (!next) break
        now = Math.max(now, next.at)
        next.wake()
        await new Promise(setImmediate)
      }
      now = Math.max(now, ms)
    },
  }
}
