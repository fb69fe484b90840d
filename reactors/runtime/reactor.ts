import type { WorkerSlot } from './worker-slots.ts'
import type { LeasedRow } from './leases.ts'

/**
 * The result of a piece of work: `done` when an event has changed or removed its row (or nothing was left to do), `park` when it
 * must be looked at again at `until` (ms since the epoch).
 */
export type WorkResult = { readonly kind: 'done' } | { readonly kind: 'park'; readonly until: number }

/**
 * Handles one kind of agenda row. May be called any number of times for the same row, also by two workers at once: it decides by
 * the log, never by the row.
 */
export type Reactor = (row: Omit<LeasedRow, 'workspace'>, signal: AbortSignal, slot?: WorkerSlot) => Promise<WorkResult>

export const DONE: WorkResult = { kind: 'done' }
export const park = (until: number): WorkResult => ({ kind: 'park', until })
