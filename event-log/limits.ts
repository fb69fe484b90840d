import type { NewEvent } from '../domain/event.ts'
import { EventTooLarge, MAX_EVENT_BYTES } from './event-log.ts'

/**
 * The most bytes of events in one append. EventStoreDB's own default (`MaxAppendSize`, 1 MiB, counting the type's name
 * twice), kept by every log so that what one takes the others take.
 */
export const MAX_APPEND_BYTES = 1024 * 1024

export class AppendTooLarge extends Error {
  constructor(events: number, bytes: number) {
    super(`${events} events in one append have ${bytes} bytes, the limit is ${MAX_APPEND_BYTES}`)
    this.name = 'AppendTooLarge'
  }
}

/**
 * @throws EventTooLarge when an event's data and metadata as JSON are over `MAX_EVENT_BYTES`
 * @throws AppendTooLarge when all of them together are over `MAX_APPEND_BYTES`
 */
export function checkSizes(events: readonly NewEvent[]): void {
  let total = 0
  for (const event of events) {
    const bytes = jsonBytes(event.data) + jsonBytes(event.metadata)
    if (bytes > MAX_EVENT_BYTES) throw new EventTooLarge(event.type, bytes)
    total += bytes + 2 * event.type.length
  }
  if (total > MAX_APPEND_BYTES) throw new AppendTooLarge(events.length, total)
}

function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value))
}
