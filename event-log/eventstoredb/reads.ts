import {
  BACKWARDS,
  END,
  START,
  StreamNotFoundError,
  type EventStoreDBClient,
  type ReadPosition,
  type StreamingRead,
} from '@eventstore/db-client'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { StoredEvent } from '../codec.ts'
import { describeError } from './errors.ts'
import { storedIn } from './event.ts'
import { within } from '../within.ts'

export interface Reads {
  /** The events of a stream from a revision on, at most `maxCount`; empty for a stream that does not exist. */
  stream(stream: string, fromRevision: number, maxCount?: number): Promise<readonly StoredEvent[]>
  /** The events of a stream from the last one of a type on; all of them if there is none. */
  fromLast(stream: string, type: string): Promise<readonly StoredEvent[]>
  /** Searches backwards from the end of the log for the newest event after `floor` in a stream that `wanted` accepts. */
  newestAfter(floor: bigint, wanted: (stream: string) => boolean, signal?: AbortSignal): Promise<Newest>
  /** The position of the last event in the log, including the server's own; -1 when there is none. */
  head(signal?: AbortSignal): Promise<bigint>
}

export interface Newest {
  readonly position: bigint | undefined
  /** The end of the log when it was read. */
  readonly head: bigint
}

/** Small, because the last events nearly always include the wanted one, and events may be large. */
const FIRST_PAGE = 2
const LARGEST_PAGE = 128

/** The client sets no deadline on reads, so each has a timeout here. */
export function eventStoreDbReads(client: EventStoreDBClient, clock: Clock, timeoutMs: number): Reads {
  async function collect<T>(what: string, source: StreamingRead<T>, signal?: AbortSignal): Promise<readonly T[]> {
    // A late error, after the wait has ended, must not crash the process.
    source.on('error', () => undefined)
    try {
      return await within(clock, timeoutMs, what, gather(source), signal)
    } catch (error) {
      source.cancel().catch(() => undefined)
      source.destroy()
      if (error instanceof StreamNotFoundError) return []
      throw describeError(what, error)
    }
  }

  async function lastOfAll(fromPosition: ReadPosition, maxCount: number, signal?: AbortSignal) {
    const source = client.readAll({ direction: BACKWARDS, fromPosition, maxCount })
    const page = await collect('reading the end of the log', source, signal)
    return page.flatMap(({ event }) => (event ? [event] : []))
  }

  return {
    fromLast: async (stream, type) => {
      let found: readonly StoredEvent[] = []
      for (;;) {
        const [oldest] = found
        if (oldest && (oldest.type === type || oldest.revision === 0)) return found
        const fromRevision = oldest ? BigInt(oldest.revision - 1) : END
        const source = client.readStream(stream, { direction: BACKWARDS, fromRevision, maxCount: LARGEST_PAGE })
        const page = (await collect(`reading the end of ${stream}`, source)).flatMap(({ event }) =>
          event ? [storedIn(event)] : [],
        )
        if (page.length === 0) return found
        const last = page.findIndex((event) => event.type === type)
        found = [...page.slice(0, last < 0 ? undefined : last + 1).toReversed(), ...found]
      }
    },
    stream: async (stream, fromRevision, maxCount) => {
      const source = client.readStream(stream, {
        fromRevision: fromRevision > 0 ? BigInt(fromRevision) : START,
        ...(maxCount === undefined ? {} : { maxCount }),
      })
      const found = await collect(`reading ${stream}`, source)
      return found.flatMap(({ event }) => (event ? [storedIn(event)] : []))
    },
    newestAfter: async (floor, wanted, signal) => {
      let from: ReadPosition = END
      let head = floor
      for (let count = FIRST_PAGE; ; count = Math.min(count * 4, LARGEST_PAGE)) {
        const page = await lastOfAll(from, count, signal)
        for (const { streamId, position } of page) {
          if (position.commit > head) head = position.commit
          if (position.commit <= floor) return { position: undefined, head }
          if (wanted(streamId)) return { position: position.commit, head }
        }
        const oldest = page.at(-1)
        if (!oldest || page.length < count) return { position: undefined, head }
        from = oldest.position
      }
    },
    head: async (signal) => {
      const [last] = await lastOfAll(END, 1, signal)
      return last?.position.commit ?? -1n
    },
  }
}

async function gather<T>(source: StreamingRead<T>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
