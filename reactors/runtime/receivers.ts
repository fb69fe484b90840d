import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Seen } from '../../projections/engine/seen.ts'

/** An event that a follower selected, and whether it changes who receives others. */
export interface Change {
  readonly recorded: RecordedEvent
  readonly isChange: boolean
}

export interface Receivers<Row> {
  /** Takes note of a batch, before anything is asked of it. */
  note(batch: readonly Change[]): void
  /** The receivers of some workspaces; undefined when the signal aborts. */
  of(workspaceIds: readonly string[], signal: AbortSignal): Promise<readonly Row[] | undefined>
}

/**
 * Who receives what happens, from a read model that may be behind the log: it is read once it has reached the last event that
 * is known to have changed it.
 *
 * @param read undefined when the read model has not reached the position: receivers that it does not know yet would miss events
 */
export function receivers<Row>(
  seen: Pick<Seen, 'waitFor'>,
  model: string,
  read: (workspaceIds: readonly string[], position: bigint) => Promise<readonly Row[] | undefined>,
): Receivers<Row> {
  /** Before the first batch, any event may have been a change. */
  let changedAt: bigint | undefined
  return {
    note: (batch) => {
      const changes = changedAt === undefined ? batch : batch.filter(({ isChange }) => isChange)
      changedAt = changes.at(-1)?.recorded.position ?? changedAt
    },
    of: async (workspaceIds, signal) => {
      if (changedAt === undefined) return undefined
      for (;;) {
        // Other read models may lag or be halted, so check this one itself whenever the wait ends.
        const isShown = await seen.waitFor(changedAt)
        if (signal.aborted) return undefined
        const found = await read(workspaceIds, changedAt)
        if (found) return found
        if (isShown) throw new Error(`the read model of ${model} is behind the log`)
      }
    },
  }
}
