import type { NewEvent } from '../domain/core/event.ts'
import { encryptionBytes } from './sealing.ts'
import { EventTooLarge, MAX_EVENT_BYTES } from './event-log.ts'

/**
 * The most bytes of events in one append. This is EventStoreDB's default (`MaxAppendSize`, 1 MiB, counting the type's name
 * twice), enforced for every log so that all accept the same appends.
 */
export const MAX_APPEND_BYTES = 1024 * 1024

export class AppendTooLarge extends Error {
  constructor(events: number, bytes: number) {
    super(`${events} events in one append have ${bytes} bytes; the limit is ${MAX_APPEND_BYTES}`)
    this.name = 'AppendTooLarge'
  }
}

/** An event with data and metadata as JSON, as stored. */
export interface EncodedEvent {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
  /** Of data and metadata together. */
  readonly bytes: number
}

/**
 * @throws EventTooLarge when an event's data and metadata as JSON, before encryption, are over `MAX_EVENT_BYTES`
 * @throws AppendTooLarge when all of them together are over `MAX_APPEND_BYTES`
 */
export function encoded(events: readonly NewEvent[]): readonly EncodedEvent[] {
  let total = 0
  const done = events.map(({ id, type, ...event }) => {
    const [data, metadata] = [JSON.stringify(event.data), JSON.stringify(event.metadata)]
    const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata)
    const plain = bytes - encryptionBytes(event.metadata)
    if (plain > MAX_EVENT_BYTES) throw new EventTooLarge(type, plain)
    total += bytes + 2 * type.length
    return { id, type, data, metadata, bytes }
  })
  if (total > MAX_APPEND_BYTES) throw new AppendTooLarge(events.length, total)
  return done
}

/** As `encoded`, for a log whose client does the encoding. */
export function checkSizes(events: readonly NewEvent[]): void {
  encoded(events)
}
