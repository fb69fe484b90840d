import { CATEGORIES } from '../../domain/log/event-kinds.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { progressOf } from '../../projections/engine/tables.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { createSorter, type Change } from './changes.ts'

/** Changes for all listeners in this process, over a single subscription to the log. */
export interface LiveChanges {
  /**
   * Calls `listener` for each change of a workspace from now on, once the read models show it.
   *
   * @param after the position up to which the listener has all changes; absent when it has none
   * @returns the starting position, the changes since `after` if they are still buffered, and how to stop
   */
  listen(workspaceId: string, after: bigint | undefined, listener: (change: Change) => void): Promise<Listening>
  close(): void
}

export interface Listening {
  readonly position: bigint
  /** Undefined when changes may have been missed: the listener has to reload everything. */
  readonly missed: readonly Change[] | undefined
  stop(): void
}

/** Changes across all workspaces: some seconds of a service at its limit, hours of a quiet one. */
const REMEMBERED = 2_000
/** Changes closer together than this (ms) are sent as one. */
const TELL_EVERY_MS = 100
const RETRY_DELAY_MS = 1_000
/** Waits for the read models indefinitely, in steps of this (ms). */
const SEEN_STEP_MS = 5_000

export function createLiveChanges(deps: {
  readonly db: Database
  readonly log: EventLog
  readonly seen: Seen
  readonly clock: Clock
  readonly logger: Logger
}): LiveChanges {
  const { db, log, seen, clock, logger } = deps
  const sort = createSorter(log)
  const closing = new AbortController()
  const { signal } = closing
  const listeners = new Map<string, Set<(change: Change) => void>>()
  const remembered: Change[] = []
  /** All changes after this and up to `position` are buffered. */
  let since = -1n
  let position = -1n
  let started: Promise<void> | undefined

  const tell = (changes: readonly Change[]) => {
    for (const change of changes) {
      remembered.push(change)
      listeners.get(change.workspaceId)?.forEach((listener) => listener(change))
    }
    for (const gone of remembered.splice(0, remembered.length - REMEMBERED)) since = gone.position
  }
  const shown = async (to: bigint) => {
    while (!signal.aborted && !(await seen.waitFor(to, SEEN_STEP_MS)));
  }
  const follow = async () => {
    for await (const delivery of log.subscribe(position, { categories: CATEGORIES, signal })) {
      const last = delivery.kind === 'events' ? delivery.events.at(-1) : undefined
      if (delivery.kind !== 'events' || !last) continue
      const changes = await sort(delivery.events)
      await shown(last.position)
      if (signal.aborted) return
      position = last.position
      tell(changes)
      await clock.sleep(TELL_EVERY_MS, signal)
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      try {
        await follow()
      } catch (error) {
        if (signal.aborted) return
        logger.warn({ err: error }, 'sending changes to the dashboard failed; trying again')
      }
      await clock.sleep(RETRY_DELAY_MS, signal)
    }
  }
  /** Starts with the first listener: without any, the log is not followed. */
  const start = async () => {
    position = (await progressOf(db)).position
    since = position
    void run()
  }

  return {
    listen: async (workspaceId, after, listener) => {
      started ??= start()
      await started.catch((error: unknown) => {
        started = undefined
        throw error
      })
      const all = listeners.get(workspaceId) ?? new Set()
      listeners.set(workspaceId, all.add(listener))
      // Another process may have sent the listener changes beyond this one's position.
      const known = after === undefined || after >= since
      return {
        position,
        missed: known
          ? remembered.filter((change) => change.workspaceId === workspaceId && change.position > (after ?? position))
          : undefined,
        stop: () => {
          all.delete(listener)
          if (all.size === 0 && listeners.get(workspaceId) === all) listeners.delete(workspaceId)
        },
      }
    },
    close: () => closing.abort(),
  }
}
