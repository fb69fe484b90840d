import type { LeasedRow } from './leases.ts'

/** Who does the work that the dispatcher has leased: this process, or whichever takes the hint. */
export interface Hands {
  /** How many more rows may be given now. */
  free(): number
  /** How many rows may be leased at once, over all processes: what is leased but not taken in time is leased again. */
  readonly maxLeased: number
  /** Hands a leased row on. Never throws: a row that nobody takes is due again when its lease ends. */
  give(row: LeasedRow): Promise<void>
  /** Calls `listener` when a hand has become free. */
  onFree(listener: () => void): void
  /** Resolves when all work under way has ended. */
  idle(): Promise<void>
}

/** Hands of this process: at most `concurrency` rows at once. */
export function localHands(concurrency: number, run: (row: LeasedRow) => Promise<void>): Hands {
  const running = new Set<Promise<void>>()
  const listeners: (() => void)[] = []
  return {
    free: () => concurrency - running.size,
    maxLeased: 1_000_000,
    give: async (row) => {
      const job: Promise<void> = run(row).finally(() => {
        running.delete(job)
        listeners.forEach((listener) => listener())
      })
      running.add(job)
    },
    onFree: (listener) => void listeners.push(listener),
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
