import type { LeasedRow } from './leases.ts'
import { ofPools, POOLS, WORK, type Pool, type PoolSizes } from './pools.ts'

/** Room in one pool: rows to give now, and rows leased at once over all processes. */
export interface Room {
  readonly free: number
  /** What is leased but not taken in time is leased again. */
  readonly most: number
}
export type Rooms = Readonly<Record<Pool, Room>>

/** Who does the work that the dispatcher has leased: this process, or whichever takes the hint. */
export interface Hands {
  rooms(): Rooms
  /** Hands a leased row on. Never throws: a row that nobody takes is due again when its lease ends. */
  give(row: LeasedRow): Promise<void>
  /** Calls `listener` when a hand has become free. */
  onFree(listener: () => void): void
  /** Resolves when all work under way has ended. */
  idle(): Promise<void>
}

const WITHOUT_LIMIT = 1_000_000

/** Hands of this process. */
export function localHands(sizes: PoolSizes, run: (row: LeasedRow) => Promise<void>): Hands {
  const running = ofPools(() => new Set<Promise<void>>())
  const listeners: (() => void)[] = []
  return {
    rooms: () => ofPools((pool) => ({ free: sizes[pool] - running[pool].size, most: WITHOUT_LIMIT })),
    give: async (row) => {
      const pool = running[WORK[row.kind].pool]
      const job: Promise<void> = run(row).finally(() => {
        pool.delete(job)
        listeners.forEach((listener) => listener())
      })
      pool.add(job)
    },
    onFree: (listener) => void listeners.push(listener),
    idle: async () => {
      const jobs = () => POOLS.flatMap((pool) => [...running[pool]])
      while (jobs().length > 0) await Promise.allSettled(jobs())
    },
  }
}
