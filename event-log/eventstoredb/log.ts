import { WrongExpectedVersionError } from '@eventstore/db-client'
import type { Clock } from '../../infra/runtime/clock.ts'
import { createCodec, type Codec } from '../codec.ts'
import { LogUnavailable, NO_STREAM, RevisionConflict, START, type EventLog } from '../event-log.ts'
import { connectToStore, releaseClient } from './client.ts'
import { describeError, isCommitTimeout } from './errors.ts'
import { eventStoreDbReads } from './reads.ts'
import { subscribeToStore } from './subscription.ts'
import { eventStoreDbWriter } from './writer.ts'
import { checkSizes } from '../limits.ts'

const DEFAULT_BATCH = 1000

export interface EventStoreDbOptions {
  /** `esdb://user:password@host:2113?tls=true`. The user must be an admin: only admins may read $all. */
  readonly connectionString: string
  readonly clock: Clock
  readonly codec?: Codec
  readonly appendTimeoutMs?: number
  readonly readTimeoutMs?: number
  /** A subscription with an undelivered event stalls after two of these intervals without a sign of life from the server. */
  readonly heartbeatMs?: number
  /** A reader that is catching up gets less than a full batch when nothing has arrived for so long. */
  readonly gatherMs?: number
}

/**
 * The event log in EventStoreDB 23.10 or later, on one node or a cluster that holds no other application's streams. A position
 * is an event's commit position.
 *
 * Use one per process: the client shares its appends in flight between all its instances, so a connection failure of one log
 * would fail the appends of another. Put credentials in the connection string: given per call, they make the client stop
 * batching appends.
 */
export function eventStoreDbLog(options: EventStoreDbOptions): EventLog {
  const { connectionString, clock, codec = createCodec() } = options
  const { appendTimeoutMs = 5_000, readTimeoutMs = 10_000, heartbeatMs = 10_000, gatherMs = 20 } = options
  const connect = () => connectToStore(connectionString)
  // Separate from the writer's client, which is replaced on failure: reads and subscriptions survive that.
  const client = connect()
  const reads = eventStoreDbReads(client, clock, readTimeoutMs)
  const writer = eventStoreDbWriter(connect, clock, appendTimeoutMs)
  const closing = new AbortController()

  const open = () => {
    if (closing.signal.aborted) throw new LogUnavailable('the event log is closed')
  }

  return {
    append: async (stream, events, expected) => {
      if (events.length === 0) throw new Error('an append needs at least one event')
      const encoded = await codec.encode(stream, events, expected)
      checkSizes(encoded)
      let actual: number | undefined
      let reason = 'no position was returned'
      let cause: unknown
      try {
        const result = await writer.append(stream, encoded, expected)
        if (result.position) return { position: result.position.commit, revision: Number(result.nextExpectedRevision) }
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) {
          actual = typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : NO_STREAM
        } else if (isCommitTimeout(error)) {
          reason = 'not confirmed as committed in time'
          cause = error
        } else throw describeError(`appending to ${stream}`, error)
      }
      // The server recognizes a repeated append by its event ids, but not forever and not always with its position. One that
      // arrives while the first is being written times out.
      const stored = await reads.stream(stream, expected + 1, events.length)
      const last = stored.at(-1)
      if (last && stored.length === events.length && stored.every(({ id }, index) => id === events[index]?.id)) {
        return { position: last.position, revision: last.revision }
      }
      if (actual === undefined) throw new LogUnavailable(`appending to ${stream}: ${reason}`, { cause })
      throw new RevisionConflict(stream, expected, actual)
    },
    read: async (stream, from = 0) => {
      open()
      const stored = await (typeof from === 'number' ? reads.stream(stream, from) : reads.fromLast(stream, from.lastOf))
      return (await codec.open(stored)).map(codec.decode)
    },
    subscribe: (after, { categories, batchSize = DEFAULT_BATCH, signal } = {}) =>
      subscribeToStore({
        client,
        reads,
        clock,
        codec,
        after,
        categories,
        batchSize,
        heartbeatMs,
        gatherMs,
        signal,
        closing: closing.signal,
      }),
    head: async () => {
      open()
      return (await reads.newestAfter(START, (stream) => !stream.startsWith('$'))).position ?? START
    },
    ping: async () => {
      open()
      await reads.head()
    },
    close: async () => {
      closing.abort()
      await Promise.all([writer.close(), releaseClient(client, clock)])
    },
  }
}
