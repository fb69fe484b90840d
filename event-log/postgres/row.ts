import type { StoredEvent } from '../codec.ts'

/** A row of `log.events`; Postgres's bigint arrives as text. */
export interface EventRow {
  readonly position: string
  readonly stream: string
  readonly revision: string
  readonly id: string
  readonly type: string
  readonly data: object
  readonly metadata: unknown
}

export function storedIn({ position, stream, revision, id, type, data, metadata }: EventRow): StoredEvent {
  return { position: BigInt(position), stream, revision: Number(revision), id, type, data, metadata }
}
