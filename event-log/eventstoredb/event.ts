import type { Position } from '@eventstore/db-client'
import type { StoredEvent } from '../codec.ts'
import { MalformedEvent } from '../event-log.ts'

/** An event as returned by the client, from a stream or from $all. */
export interface ClientEvent {
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

/** @throws MalformedEvent naming the event */
export function storedIn({ id, type, data, metadata, isJson, streamId, revision, position }: ClientEvent): StoredEvent {
  const name = `event ${id} (${type}, ${streamId} at ${revision})`
  if (position === undefined || position.commit === NO_POSITION) {
    throw new MalformedEvent(`${name} has no log position: EventStoreDB 22.6 or later is required`)
  }
  // The client returns malformed JSON as raw text and binary data as bytes, without an error.
  if (!isJson || typeof data !== 'object' || data === null) {
    throw new MalformedEvent(`${name} is not a JSON object`)
  }
  return { id, type, data, metadata, stream: streamId, revision: Number(revision), position: position.commit }
}
