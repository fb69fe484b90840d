import type { Position } from '@eventstore/db-client'
import { metadataSchema, type RecordedEvent } from '../../domain/core/event.ts'

/** An event as returned by the client, from a stream or from $all. */
export interface StoredEvent {
  readonly streamId: string
  readonly id: string
  readonly revision: bigint
  readonly type: string
  readonly data: unknown
  readonly metadata?: unknown
  readonly isJson: boolean
  readonly position?: Position
}

/** The wire value when the server gave no position. */
const NO_POSITION = 2n ** 64n - 1n

/** An event that this service cannot have written. Reading it again will not help. */
export class MalformedEvent extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MalformedEvent'
  }
}

/** @throws MalformedEvent naming the event */
export function decodeEvent(stored: StoredEvent): RecordedEvent {
  const { data, position } = stored
  const name = `event ${stored.id} (${stored.type}, ${stored.streamId} at ${stored.revision})`
  if (position === undefined || position.commit === NO_POSITION) {
    throw new MalformedEvent(`${name} has no log position: EventStoreDB 22.6 or later is required`)
  }
  // The client returns malformed JSON as raw text and binary data as bytes, without an error.
  if (!stored.isJson || typeof data !== 'object' || data === null) {
    throw new MalformedEvent(`${name} is not a JSON object`)
  }
  const metadata = metadataSchema.safeParse(stored.metadata)
  if (!metadata.success) {
    throw new MalformedEvent(`${name} was not written by this service: its metadata has another format`, {
      cause: metadata.error,
    })
  }
  return {
    id: stored.id,
    type: stored.type,
    data,
    metadata: metadata.data,
    stream: stored.streamId,
    revision: Number(stored.revision),
    position: position.commit,
  }
}
