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
  let events: TailEvent[] = []
  let size = 0
  return {
    add: (next) => {
      const [first, last] = [next[0], events.at(-1)]
      if (!first) return
      const bytes = next.reduce((sum, event) => sum + event.bytes, 0)
      const follows = first.position === (last?.position ?? -1n) + 1n
      if (!follows || events.length + next.length > MAX_EVENTS || size + bytes > MAX_BYTES) {
        events = []
        size = 0
      }
      if (next.length > MAX_EVENTS || bytes > MAX_BYTES) return
      events.push(...next)
      size += bytes
    },
    after: (position, limit) => {
      const [first] = events
      if (!first || position + 1n < first.position) return []
      const start = Number(position + 1n - first.position)
      return events.slice(start, start + limit).map(recorded)
    },
  }
}

/** As a reader of the table would have it. */
function recorded({ position, stream, revision, id, type, data, metadata }: TailEvent): RecordedEvent {
  const parsed = { data: JSON.parse(data) as object, metadata: JSON.parse(metadata) as Metadata }
  return { position, stream, revision, id, type, ...parsed }
}
