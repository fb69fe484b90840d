import { metadataSchema, type RecordedEvent } from '../../domain/core/event.ts'

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

export function decodeRow(row: EventRow): RecordedEvent {
  return {
    position: BigInt(row.position),
    stream: row.stream,
    revision: Number(row.revision),
    id: row.id,
    type: row.type,
    data: row.data,
    metadata: metadataSchema.parse(row.metadata),
  }
}
