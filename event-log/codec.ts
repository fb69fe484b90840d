import type { z } from 'zod'
import {
  metadataSchema,
  parseStreamName,
  type EventFormat,
  type Metadata,
  type NewEvent,
  type RecordedEvent,
} from '../domain/core/event.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { InvalidEvent, MalformedEvent } from './event-log.ts'

/** An event as a log or a file holds it, parsed but not checked. */
export interface StoredEvent extends Omit<RecordedEvent, 'data' | 'metadata' | 'unreadable'> {
  readonly data: object
  readonly metadata: unknown
}

/** Translates events between the form that the service works with and the stored form. */
export interface Codec {
  /**
   * Events of one stream to store: validated, and stamped with the versions of their schemas.
   *
   * @throws InvalidEvent
   */
  encode(stream: string, events: readonly NewEvent[]): readonly NewEvent[]
  /**
   * A stored event in today's form: lifted by its upcasters and validated. One that this version cannot read is marked as
   * `unreadable`, so that it stops only what needs it. One of an unknown type or kind of stream is returned as stored.
   *
   * @throws MalformedEvent
   */
  decode(stored: StoredEvent): RecordedEvent
}

export function createCodec(formats: Readonly<Record<string, EventFormat>> = streamKinds): Codec {
  const formatOf = (stream: string) => own(formats, parseStreamName(stream).category)
  return {
    encode: (stream, events) => {
      const format = formatOf(stream)
      return format ? events.map((event) => encoded(format, event)) : events
    },
    decode: (stored) => {
      const metadata = metadataSchema.safeParse(stored.metadata)
      if (!metadata.success) {
        const { id, type, stream, revision } = stored
        const name = `event ${id} (${type}, ${stream} at ${revision})`
        throw new MalformedEvent(`${name} was not written by this service: its metadata has another format`, {
          cause: metadata.error,
        })
      }
      const format = formatOf(stored.stream)
      return { ...stored, ...(format ? decoded(format, stored, metadata.data) : { metadata: metadata.data }) }
    },
  }
}

function encoded(format: EventFormat, event: NewEvent): NewEvent {
  const schema = own(format.events, event.type)
  if (!schema) throw new Error(`${event.type} is not an event of a ${format.category}`)
  const checked = schema.safeParse(event.data)
  if (!checked.success) throw new InvalidEvent(describeIssue(checked.error))
  return { ...event, data: checked.data, metadata: stamped(event.metadata, versionOf(format, event.type)) }
}

function decoded(
  format: EventFormat,
  { type: written, data }: StoredEvent,
  metadata: Metadata,
): Pick<RecordedEvent, 'type' | 'data' | 'metadata' | 'unreadable'> {
  const type = own(format.renamed, written) ?? written
  const schema = own(format.events, type)
  if (!schema) return { type, data, metadata }
  const upcasters = own(format.upcasters, type) ?? []
  const { schemaVersion = 1 } = metadata
  if (schemaVersion > upcasters.length + 1) {
    const versions = `its schema has version ${schemaVersion}, and this process knows up to ${upcasters.length + 1}`
    const reason = `${versions}. Upgrade it`
    return { type, data, metadata, unreadable: { reason, isNewer: true } }
  }
  const lifted = upcasters.slice(schemaVersion - 1).reduce<object>((older, upcast) => upcast({ ...older }), data)
  const checked = schema.safeParse(lifted)
  if (checked.success) return { type, data: checked.data, metadata: stamped(metadata, upcasters.length + 1) }
  const reason = `it does not match its schema: ${describeIssue(checked.error)}`
  return { type, data, metadata, unreadable: { reason, isNewer: false } }
}

/** The version of a type's schema, from 1. */
export function versionOf({ upcasters }: Pick<EventFormat, 'upcasters'>, type: string): number {
  return 1 + (own(upcasters, type)?.length ?? 0)
}

/** Its first issue: "hashtags: Invalid input: expected array, received undefined". */
function describeIssue({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`
}

/** Version 1 is not written: the log has events from before there were versions. */
function stamped(metadata: Metadata, version: number): Metadata {
  return version === 1 ? metadata : { ...metadata, schemaVersion: version }
}

/** Own properties only: the name may be anything, such as `constructor`. */
function own<T>(of: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return of && Object.hasOwn(of, name) ? of[name] : undefined
}
