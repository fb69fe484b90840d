import type { RecordedEvent } from '../../domain/core/event.ts'
import { createCodec, type Codec } from '../../event-log/codec.ts'

/** The floor: events are stored and read as they are, without validation and versions. */
const unchecked: Codec = {
  encode: async (_stream, events) => events,
  open: async (stored) => stored,
  decode: (stored) => stored as RecordedEvent,
}

/** @param name `checked` or `unchecked` */
export function codecNamed(name: string): Codec {
  return name === 'unchecked' ? unchecked : createCodec()
}
