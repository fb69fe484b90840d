import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  START as FROM_START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { StoredEvent } from '../codec.ts'
import { LogUnavailable } from '../event-log.ts'
import { isTooSlow } from './errors.ts'
import { storedIn } from './event.ts'

export interface SourceOptions {
  readonly client: EventStoreDBClient
  readonly clock: Clock
  /** Exclusive; negative for the start of the log. */
  readonly after: bigint
  readonly categories: readonly string[] | undefined
  /** The most events buffered while the consumer is busy; beyond that, the server waits. */
  readonly batchSize: number
  /** Wakes a pending `sign`. */
  readonly signal: AbortSignal
}

/** A client subscription that is pulled at the consumer's pace. One that the server ends as too slow is opened again. */
export interface Source {
  /** Returns up to `limit` arrived events without waiting. Throws the error that ended the subscription, after its last event. */
  take(limit: number): readonly StoredEvent[]
  /** The position up to which events have been taken. */
  seen(): bigint
  /** Whether the server has reported that it sent everything; the last events may still be buffered. */
  caughtUp(): boolean
  /** Whether nothing more is to come: `take` throws, the reader has gone, or the server has reported that it sent everything. */
  isDone(): boolean
  /** Waits for any sign of life from the server; false if there is none within `ms`. */
  sign(ms: number): Promise<boolean>
  close(): void
}

/** The number of other events that the server scans between two checkpoints is `maxSearchWindow` times `checkpointInterval`. */
const SEARCH = { maxSearchWindow: 500, checkpointInterval: 4 }

export function openSource(options: SourceOptions): Source {
  const { client, clock, after, batchSize, signal } = options
  let failure: Error | undefined
  let poison: unknown
  let seen = after
  let caughtUp = false
  let bell = new AbortController()
  const ring = () => bell.abort('rung')

  const open = () => {
    const opened = client.subscribeToAll(
      {
        fromPosition: seen < 0n ? FROM_START : { commit: seen, prepare: seen },
        filter: streamFilter(options.categories, ring),
      },
      { highWaterMark: batchSize },
    )
    const fail = (error: Error) => {
      if (opened !== subscription) return
      failure ??= error
      ring()
    }
    opened.on('error', fail)
    opened.on('end', () => fail(new LogUnavailable('EventStoreDB ended the subscription')))
    opened.on('readable', ring)
    opened.on('caughtUp', () => {
      caughtUp = true
      ring()
    })
    return opened
  }
  let subscription = open()
  signal.addEventListener('abort', ring, { once: true })

  return {
    take: (limit) => {
      const events: StoredEvent[] = []
      while (poison === undefined && events.length < limit) {
        const resolved: AllStreamResolvedEvent | null = subscription.read()
        if (resolved === null) break
        try {
          // A link to a deleted event has no event.
          if (resolved.event) events.push(storedIn(resolved.event))
          seen = resolved.event?.position.commit ?? resolved.commitPosition ?? seen
        } catch (error) {
          poison = error
        }
      }
      if (events.length === 0 && poison !== undefined) throw poison
      if (events.length === 0 && failure !== undefined) {
        if (!isTooSlow(failure)) throw failure
        failure = undefined
        subscription = open()
      }
      return events
    },
    seen: () => seen,
    caughtUp: () => caughtUp,
    isDone: () => caughtUp || failure !== undefined || poison !== undefined || signal.aborted,
    sign: async (ms) => {
      await clock.sleep(ms, bell.signal)
      const rung = bell.signal.aborted
      // The first of what arrives together rings: a delivery of one event each costs ten times as much.
      if (rung) await nextTurn()
      bell = new AbortController()
      if (signal.aborted) ring()
      return rung
    },
    close: () => {
      signal.removeEventListener('abort', ring)
      subscription.unsubscribe().catch(() => undefined)
      subscription.destroy()
    },
  }
}

/**
 * @param onCheckpoint a sign of life in a long stretch of other events. Its position is never used: some servers sent one
 *   ahead of events still to come. Must not throw: the client would stall without an error.
 */
function streamFilter(categories: readonly string[] | undefined, onCheckpoint: () => void) {
  const options = { ...SEARCH, checkpointReached: onCheckpoint }
  if (!categories) return streamNameFilter({ ...options, regex: '^[^$]' })
  return streamNameFilter({ ...options, prefixes: categories.map((category) => `${category}-`) })
}
