import type { NewEvent, RecordedEvent } from '../../../domain/core/event.ts'
import { parseStreamName } from '../../../domain/core/event.ts'
import { webhook } from '../../../domain/webhook/webhook.ts'
import { projections } from '../../../projections/models/index.ts'

/** Events that go to one stream at once: all or none. */
export interface Append {
  readonly stream: string
  /** Of the first. */
  readonly revision: number
  readonly events: NewEvent[]
  /** Where the last of them stood. */
  from: bigint
}

/** Appends that may be made in any order. */
const MOST_APPENDS = 64
/** Events of one append, far from what a log takes at once. */
const MOST_EVENTS = 100
const MOST_BYTES = 256 * 1024

/**
 * Gathers events, given in the order of their log, into windows: the appends of one may be made at once, those of the next
 * when they are done. Events keep their order when they are of one stream, when one was caused by the other, when they
 * belong to one piece of work, or when they change the same row of a read model: so the read models come out the same, and
 * a cause is never after what it caused. Whom a webhook is told of depends on when it was registered, so its own events
 * keep their order with all others.
 */
export function gatherWindow() {
  let appends: Append[] = []
  let owners = new Map<string, Append>()
  let bytes = 0
  /** The append that the event would join, or `new`; undefined when what has been gathered is to be written first. */
  const placeOf = (event: RecordedEvent, size: number, keys: readonly string[]): Append | 'new' | undefined => {
    const last = appends.at(-1)
    if (!last) return 'new'
    if (isBarrier(event) || isBarrier(last) || bytes + size > MOST_BYTES) return undefined
    const joins = last.stream === event.stream && last.events.length < MOST_EVENTS
    if (!joins && appends.length === MOST_APPENDS) return undefined
    const isFree = (owner: Append | undefined) => owner === undefined || (joins && owner === last)
    return keys.every((key) => isFree(owners.get(key))) ? (joins ? last : 'new') : undefined
  }
  return {
    /**
     * Takes an event, and those that are to follow it in its stream.
     *
     * @param size in bytes
     * @returns whether it was taken; if not, what has been gathered is to be written first
     */
    take: (event: RecordedEvent, size: number, following: readonly NewEvent[]): boolean => {
      const keys = keysOf(event)
      const place = placeOf(event, size, keys)
      if (!place) return false
      const { stream, revision, position, ...content } = event
      const append = place === 'new' ? { stream, revision, events: [], from: position } : place
      if (place === 'new') appends.push(append)
      append.events.push(content, ...following)
      append.from = position
      for (const key of keys) owners.set(key, append)
      bytes += size
      return true
    },
    /** What was gathered; then it is empty. */
    empty: (): readonly Append[] => {
      const gathered = appends
      ;[appends, owners, bytes] = [[], new Map(), 0]
      return gathered
    },
  }
}

function isBarrier({ stream }: { readonly stream: string }): boolean {
  return parseStreamName(stream).category === webhook.category
}

/** Events that share one keep their order. */
function keysOf(event: RecordedEvent): readonly string[] {
  const { stream, id, metadata } = event
  return [
    stream,
    `event ${id}`,
    `event ${metadata.causationId}`,
    `work ${metadata.correlationId}`,
    ...projections.flatMap(({ name, rowIds }) => rowIds(event).map((row) => `${name} ${row}`)),
  ]
}
