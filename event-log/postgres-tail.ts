import type { Metadata, RecordedEvent } from '../domain/event.ts'
import type { EncodedEvent } from './limits.ts'

/** An event as it was appended. */
export type TailEvent = EncodedEvent & Pick<RecordedEvent, 'stream' | 'revision' | 'position'>

/** The newest events, as far as this process appended them without another's in between. */
export interface Tail {
  /** Takes events that follow each other. */
  add(events: readonly TailEvent[]): void
  /** At most `limit` events after a position: none when the one that follows it is not here. */
  after(position: bigint, limit: number): readonly RecordedEvent[]
}

/** What is kept at most: a reader further behind reads from the database. */
const MAX_EVENTS = 1_000
const MAX_BYTES = 4 * 1024 * 1024

/** Spares a reader who is right behind the writer the way through the database: positions are dense, so nothing is skipped. */
export function createTail(): Tail {
  let events: (() => RecordedEvent)[] = []
  /** Of the first of them. */
  let first = 0n
  let size = 0
  return {
    add: (next) => {
      const [head] = next
      if (!head) return
      const bytes = next.reduce((sum, event) => sum + event.bytes, 0)
      const follows = head.position === first + BigInt(events.length)
      if (!follows || events.length + next.length > MAX_EVENTS || size + bytes > MAX_BYTES) {
        events = []
        first = head.position
        size = 0
      }
      if (next.length > MAX_EVENTS || bytes > MAX_BYTES) return
      events.push(...next.map(onceRecorded))
      size += bytes
    },
    after: (position, limit) => {
      if (position + 1n < first) return []
      const start = Number(position + 1n - first)
      return events.slice(start, start + limit).map((event) => event())
    },
  }
}

/** Several readers follow the log: what is stored as text is read once for all of them, and never when none comes. */
function onceRecorded(event: TailEvent): () => RecordedEvent {
  let made: RecordedEvent | undefined
  return () => (made ??= recorded(event))
}

/** As a reader of the table would have it. */
function recorded({ position, stream, revision, id, type, data, metadata }: TailEvent): RecordedEvent {
  const parsed = { data: JSON.parse(data) as object, metadata: JSON.parse(metadata) as Metadata }
  return { position, stream, revision, id, type, ...parsed }
}
