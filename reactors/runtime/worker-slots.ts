import { createSlots, hasShare } from '../../infra/runtime/shares.ts'
import type { LeasedRow } from './leases.ts'
import { ofPools, POOLS, ROWS_PER_SLOT, WORK, type Pool, type PoolSizes } from './pools.ts'

/** Capacity of one pool: rows to dispatch now, and rows leased at once across all processes. */
export interface PoolCapacity {
  readonly free: number
  /** Rows that are leased but not taken in time are leased again. */
  readonly most: number
}
export type Capacity = Readonly<Record<Pool, PoolCapacity>>

/** Runs the rows that the dispatcher has leased, in this process or in whichever one takes the hint. */
export interface WorkerSlots {
  capacity(): Capacity
  /** Dispatches a leased row. Never throws: a row that no process takes is due again when its lease ends. */
  give(row: LeasedRow): Promise<void>
  /** Calls `listener` when a worker slot has become free. */
  onFree(listener: () => void): void
  /** Resolves when all work in progress has ended. */
  idle(): Promise<void>
}

export interface LocalSlots extends WorkerSlots {
  /** Whether the row's workspace may use another worker slot. */
  hasShare(row: LeasedRow): boolean
}

/** The worker slot that runs one piece of work. */
export interface WorkerSlot {
  /** Runs work that only waits for somebody else, with the slot free for other rows meanwhile. */
  apart<T>(work: () => Promise<T>): Promise<T>
}

const WITHOUT_LIMIT = 1_000_000

/** The worker slots of this process. */
export function localSlots(sizes: PoolSizes, run: (row: LeasedRow, slot: WorkerSlot) => Promise<void>): LocalSlots {
  const listeners: (() => void)[] = []
  const pools = ofPools((pool) => createPool(sizes[pool], () => listeners.forEach((listener) => listener())))
  return {
    capacity: () => ofPools((pool) => ({ free: pools[pool].free(), most: WITHOUT_LIMIT })),
    hasShare: ({ kind, workspace }) => {
      const pool = pools[WORK[kind].pool]
      return hasShare(pool.atWork(workspace), pool.free())
    },
    give: async (row) => pools[WORK[row.kind].pool].start(row.workspace, (slot) => run(row, slot)),
    onFree: (listener) => void listeners.push(listener),
    idle: async () => {
      const jobs = () => POOLS.flatMap((pool) => pools[pool].jobs())
      while (jobs().length > 0) await Promise.allSettled(jobs())
    },
  }
}

function createPool(size: number, freed: () => void) {
  const running = new Map<Promise<void>, string>()
  const slots = createSlots(() => size)
  const release = (workspace: string) => {
    slots.release(workspace)
    freed()
  }

  return {
    free: () => Math.min(slots.free(), ROWS_PER_SLOT * size - running.size),
    atWork: (workspace: string) => [...running.values()].filter((one) => one === workspace).length,
    jobs: () => [...running.keys()],
    start: (workspace: string, run: (slot: WorkerSlot) => Promise<void>) => {
      slots.hold(workspace)
      const slot: WorkerSlot = {
        apart: async (work) => {
          release(workspace)
          try {
            return await work()
          } finally {
            await slots.take(workspace)
          }
        },
      }
      const job: Promise<void> = run(slot).finally(() => {
        running.delete(job)
        release(workspace)
      })
      running.set(job, workspace)
    },
  }
}
