import type { CommandDeps } from '../../commands/handle.ts'
import { isUnavailable } from '../../infra/postgres/errors.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import { untilReconnected } from '../../projections/engine/until-reconnected.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { checkpointOf, enrol, MOST_PASSED, moveCheckpoint, selected, type Interest } from './follower-checkpoint.ts'
import { holdsOf } from '../../infra/postgres/holds.ts'

export interface Follower {
  /** Follows the log until the signal aborts, through outages of the log and the database. */
  run(signal: AbortSignal): Promise<void>
  /** Handles everything that is in the log now, or up to a hold, then returns. */
  catchUp(): Promise<void>
}

/**
 * Handles what was selected from the log, in order. May be called any number of times for the same events, also by two processes
 * at once. When the signal aborts it returns early, and the events are delivered again.
 */
export type Handler<T> = (selected: readonly T[], signal: AbortSignal) => Promise<void>

/** Retry delay (ms) while a server is unavailable. */
const AWAY_DELAY_MS = 500
/** First retry delay (ms) after any other failure; it doubles with each further one. */
const FAULT_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
/** Delay (ms) before a follower that was overtaken, or is held, looks again. */
const STANDBY_MS = 1_000

/**
 * A reactor without agenda rows: it reads the log itself from its own checkpoint, which moves once a batch has been handled.
 * Several processes may handle the same batch; one moves the checkpoint, and the others stand by.
 *
 * @param newHandler called whenever it begins to read, as others may have handled events since
 */
export function createFollower<T>(
  interest: Interest<T>,
  newHandler: () => Handler<T>,
  deps: Pick<CommandDeps, 'log' | 'clock'> & {
    readonly db: Database
    readonly signals: Pick<Signals, 'on'>
    readonly logger: Logger
    /** Events per batch: the most that are handled again after a crash. */
    readonly batchSize?: number
  },
): Follower {
  const { log, clock, db, signals, logger, batchSize = 1_000 } = deps
  const { name, categories } = interest
  const skipped = (err: Error) => logger.error({ err, follower: name }, 'an event was skipped')
  let faults = 0

  const follow = async (signal: AbortSignal, once: boolean): Promise<'ended' | 'overtaken' | 'held'> => {
    await enrol(db, name)
    const handle = newHandler()
    let checkpoint = await checkpointOf(db, name)
    let passed = 0
    for await (const delivery of log.subscribe(checkpoint, { categories, batchSize, signal })) {
      if (delivery.kind === 'caught-up') {
        // Nothing after the checkpoint concerns it: it would otherwise read all of that again at each start.
        const { position } = delivery
        if (position > checkpoint) {
          if (!(await moveCheckpoint(db, name, checkpoint, position))) return 'overtaken'
          checkpoint = position
        }
        if (once) return 'ended'
        continue
      }
      const found = delivery.events.flatMap((event) => selected(interest, event, skipped) ?? [])
      if (found.length > 0) {
        // Check now, not before reading: the events of an import follow its hold.
        if ((await holdsOf(db)).length > 0) return 'held'
        await handle(found, signal)
      }
      if (signal.aborted) return 'ended'
      passed += delivery.events.length
      const last = delivery.events.at(-1)
      if (!last || (found.length === 0 && passed < MOST_PASSED)) continue
      if (!(await moveCheckpoint(db, name, checkpoint, last.position))) return 'overtaken'
      checkpoint = last.position
      passed = 0
      faults = 0
    }
    return 'ended'
  }

  const delayAfter = (error: unknown): number => {
    if (isUnavailable(error)) return AWAY_DELAY_MS
    faults += 1
    return Math.min(LONGEST_DELAY_MS, FAULT_DELAY_MS * 2 ** (faults - 1))
  }

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        try {
          const end = await untilReconnected(signals, signal, (until) => follow(until, false))
          if (end !== 'ended') await clock.sleep(STANDBY_MS, signal)
        } catch (error) {
          if (signal.aborted) return
          const delayMs = delayAfter(error)
          logger.warn({ err: error, follower: name, delayMs }, 'events could not be handled; trying again')
          await clock.sleep(delayMs, signal)
        }
      }
    },
    catchUp: async () => {
      const { signal } = new AbortController()
      while ((await follow(signal, true)) === 'overtaken');
    },
  }
}
