import type { Metadata, RecordedEvent } from '../../domain/core/event.ts'
import { START } from '../event-log.ts'
import type { EncodedEvent } from '../limits.ts'

/** An event as it was appended. */
export type TailEvent = EncodedEvent & Pick<RecordedEvent, 'stream' | 'revision' | 'position'>

/** The newest events, as far as this process appended them without another's in between. */
export interface Tail {
  /** Takes events that follow each other. */
  add(events: readonly TailEvent[]): void
  /** At most `limit` events after a position: none when the one that follows it is not here. */
  after(position: bigint, limit: number): readonly RecordedEvent[]
  /** The highest position it was given. */
  newest(): bigint
}

/** What is kept at most: enough for a reader who is a batch or two behind. */
const MAX_EVENTS = 4_000
const MAX_BYTES = 4 * 1024 * 1024

interface Kept {
  readonly bytes: number
  readonly event: () => RecordedEvent
}

/** Spares a reader who is right behind the writer the way through the database: positions are dense, so nothing is skipped. */
export function createTail(): Tail {
  let kept: Kept[] = []
  /** Of the first of them. */
  let first = 0n
  let size = 0
  let newest = START
  return {
    newest: () => newest,
    add: (next) => {
      const [head] = next
      const last = next.at(-1)
      if (!head || !last) return
      if (last.position > newest) newest = last.position
      if (head.position !== first + BigInt(kept.length)) {
        kept = []
        first = head.position
        size = 0
      }
      for (const event of next) {
        kept.push({ bytes: event.bytes, event: onceRecorded(event) })
        size += event.bytes
      }
      if (kept.length <= MAX_EVENTS && size <= MAX_BYTES) return
      const { start, bytes } = newestHalf(kept)
      kept = kept.slice(start)
      first += BigInt(start)
      size = bytes
    },
    after: (position, limit) => {
      if (position + 1n < first) return []
      const start = Number(position + 1n - first)
      return kept.slice(start, start + limit).map(({ event }) => event())
    },
  }
}

/** From where on half of what is kept at most stays: the rest goes at once, so that it seldom has to. */
function newestHalf(kept: readonly Kept[]): { readonly start: number; readonly bytes: number } {
  let [start, bytes] = [kept.length, 0]
  for (const one of kept.toReversed()) {
    if (kept.length - start >= MAX_EVENTS / 2 || bytes + one.bytes > MAX_BYTES / 2) break
    start -= 1
    bytes += one.bytes
  }
  return { start, bytes }
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
