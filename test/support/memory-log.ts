import { EventEmitter, once } from 'node:events'
import type { NewEvent, RecordedEvent } from '../../domain/core/event.ts'
import {
  LogUnavailable,
  RevisionConflict,
  START,
  type Appended,
  type Delivery,
  type EventLog,
  type SubscribeOptions,
} from '../../event-log/event-log.ts'
import { createCodec, type Codec } from '../../event-log/codec.ts'
import { checkSizes } from '../../event-log/limits.ts'

/** What a log keeps. Handed to a new log it is there again, as after a restart. */
export interface MemoryLogData {
  readonly events: RecordedEvent[]
  readonly changes: EventEmitter
  /** False: everything throws LogUnavailable. Set it with `setReachable`. */
  reachable: boolean
}

export function memoryLogData(): MemoryLogData {
  return { events: [], changes: new EventEmitter().setMaxListeners(0), reachable: true }
}

export function setReachable(data: MemoryLogData, reachable: boolean): void {
  data.reachable = reachable
  data.changes.emit('changed')
}

/** An event log for fast tests, with the same rules as the real ones. */
export function memoryLog(data: MemoryLogData = memoryLogData(), codec: Codec = createCodec()): EventLog {
  const closing = new AbortController()

  const reach = () => {
    if (closing.signal.aborted) throw new LogUnavailable('the event log is closed')
    if (!data.reachable) throw new LogUnavailable('the event log cannot be reached')
  }

  async function* subscribe(after: bigint, options: SubscribeOptions = {}): AsyncGenerator<Delivery> {
    const { categories, batchSize = 1000 } = options
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal
    let position = after
    let owesMark = true
    while (!signal.aborted) {
      reach()
      const events = eventsAfter(data, position, batchSize, categories)
      const last = events.at(-1)
      if (last) {
        position = last.position
        yield { kind: 'events', events: (await codec.open(events)).map(codec.decode) }
      } else if (owesMark) {
        owesMark = false
        yield { kind: 'caught-up', position: data.events.at(-1)?.position ?? after }
      } else {
        await once(data.changes, 'changed', { signal }).catch(() => undefined)
      }
    }
    if (!options.signal?.aborted) reach()
  }

  return {
    append: async (stream, events, expected) => {
      if (events.length === 0) throw new Error('an append needs at least one event')
      const encoded = await codec.encode(stream, events, expected)
      checkSizes(encoded)
      reach()
      const appended = append(data, stream, encoded, expected)
      data.changes.emit('changed')
      return appended
    },
    read: async (stream, from = 0) => {
      reach()
      const found = data.events.filter((event) => event.stream === stream)
      const first = typeof from === 'number' ? from : found.findLastIndex(({ type }) => type === from.lastOf)
      return (await codec.open(found.slice(Math.max(0, first)))).map(codec.decode)
    },
    subscribe,
    head: async () => {
      reach()
      return data.events.at(-1)?.position ?? START
    },
    ping: async () => reach(),
    close: async () => closing.abort(),
  }
}

function append(data: MemoryLogData, stream: string, events: readonly NewEvent[], expected: number): Appended {
  const stored = data.events.filter((event) => event.stream === stream)
  const head = stored.length - 1
  if (expected === head) {
    const start = data.events.length
    // Through JSON, as a log on disk would give it back.
    const recorded = events.map((event, index): RecordedEvent => {
      const copy: NewEvent = JSON.parse(JSON.stringify(event))
      return { ...copy, stream, revision: head + 1 + index, position: BigInt(start + index) }
    })
    data.events.push(...recorded)
    return { position: BigInt(data.events.length - 1), revision: head + events.length }
  }
  const following = stored.slice(expected + 1, expected + 1 + events.length)
  const last = following.at(-1)
  const repeated = following.length === events.length && following.every(({ id }, index) => id === events[index]?.id)
  if (last && repeated) return { position: last.position, revision: last.revision }
  throw new RevisionConflict(stream, expected, head)
}

function eventsAfter(data: MemoryLogData, after: bigint, limit: number, categories: readonly string[] | undefined) {
  const found: RecordedEvent[] = []
  for (let index = Number(after) + 1; index < data.events.length && found.length < limit; index++) {
    const event = data.events[index]
    if (event && (!categories || categories.some((category) => event.stream.startsWith(`${category}-`)))) {
      found.push(event)
    }
  }
  return found
}
