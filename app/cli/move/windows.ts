import type { NewEvent, RecordedEvent } from '../../../domain/core/event.ts'
import { parseStreamName } from '../../../domain/core/event.ts'
import { webhook } from '../../../domain/webhook/webhook.ts'
import { projections } from '../../../projections/models/index.ts'

/** Events appended to one stream at once: all or none. */
export interface Append {
  readonly stream: string
  /** The revision of the first event. */
  readonly revision: number
  readonly events: NewEvent[]
  /** The source position of the last event. */
  from: bigint
}

/** Appends that may run in any order. */
const MOST_APPENDS = 64
/** Events per append, far below a log's limit. */
const MOST_EVENTS = 100
const MOST_BYTES = 256 * 1024

/**
 * Groups events, given in log order, into windows: the appends of a window may run concurrently, those of the next one only after
 * it. Two events keep their order if they are in the same stream, one caused the other, they belong to the same piece of work, or
 * they change the same read model row: so the read models come out the same, and no effect precedes its cause. Which events a
 * webhook receives depends on when it was registered, so its own events keep their order relative to all others.
 */
export function gatherWindow() {
  let appends: Append[] = []
  let owners = new Map<string, Append>()
  let bytes = 0
  /** The append that the event would join, or `new`; `undefined` if the current window must be written first. */
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
     * Takes an event, and those that follow it in its stream.
     *
     * @param size in bytes
     * @returns whether it was taken; if not, the current window must be written first
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
    /** Returns the window and starts a new one. */
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

/** Events that share a key keep their order. */
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
