import type { RecordedEvent } from '../../domain/core/event.ts'
import type { Codec, StoredEvent } from '../codec.ts'
import { START } from '../event-log.ts'
import type { EncodedEvent } from '../limits.ts'

/** An event as it was appended. */
export type TailEvent = EncodedEvent & Pick<RecordedEvent, 'stream' | 'revision' | 'position'>

/** The newest events, as long as this process appended them without events of another process in between. */
export interface Tail {
  /** Adds consecutive events. */
  add(events: readonly TailEvent[]): void
  /** At most `limit` events after a position; none if the event that follows it is not kept. */
  after(position: bigint, limit: number): Promise<readonly RecordedEvent[]>
  /** The highest position added. */
  newest(): bigint
}

/** The most to keep: enough for a reader that is a batch or two behind. */
const MAX_EVENTS = 4_000
const MAX_BYTES = 4 * 1024 * 1024

interface Kept {
  readonly appended: TailEvent
  /** Decoded once for all readers, and not at all without one. Absent with encrypted fields: their key may be deleted. */
  recorded?: RecordedEvent
}

/** Serves readers close behind the writer without the database. Positions are dense, so nothing is skipped. */
export function createTail(codec: Codec): Tail {
  let kept: Kept[] = []
  /** Position of the first event kept. */
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
        kept.push({ appended: event })
        size += event.bytes
      }
      if (kept.length <= MAX_EVENTS && size <= MAX_BYTES) return
      const { start, bytes } = newestHalf(kept)
      kept = kept.slice(start)
      first += BigInt(start)
      size = bytes
    },
    after: async (position, limit) => {
      if (position + 1n < first) return []
      const start = Number(position + 1n - first)
      const page = kept.slice(start, start + limit)
      const unread = page.filter(({ recorded }) => recorded === undefined)
      const stored = unread.map(({ appended }) => storedIn(appended))
      const read = new Map<Kept, RecordedEvent>()
      for (const [index, opened] of (await codec.open(stored)).entries()) {
        const one = unread[index]
        if (!one) continue
        const recorded = codec.decode(opened)
        read.set(one, recorded)
        if (opened === stored[index]) one.recorded = recorded
      }
      return page.flatMap((one) => one.recorded ?? read.get(one) ?? [])
    },
  }
}

/** The start of the part to keep: half of the limits, so that trimming is rare. */
function newestHalf(kept: readonly Kept[]): { readonly start: number; readonly bytes: number } {
  let [start, bytes] = [kept.length, 0]
  for (const one of kept.toReversed()) {
    if (kept.length - start >= MAX_EVENTS / 2 || bytes + one.appended.bytes > MAX_BYTES / 2) break
    start -= 1
    bytes += one.appended.bytes
  }
  return { start, bytes }
}

function storedIn({ position, stream, revision, id, type, data, metadata }: TailEvent): StoredEvent {
  const parsed = { data: JSON.parse(data) as object, metadata: JSON.parse(metadata) as unknown }
  return { position, stream, revision, id, type, ...parsed }
}
