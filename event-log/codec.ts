import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import {
  metadataSchema,
  parseStreamName,
  streamName,
  type EventFormat,
  type Metadata,
  type NewEvent,
  type RecordedEvent,
} from '../domain/core/event.ts'
import {
  keyOfEvent,
  WORKSPACE_CATEGORY,
  type PersonalData,
  type StreamData,
  type WorkspaceData,
} from '../domain/core/personal-data.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import {
  InvalidEvent,
  MalformedEvent,
  NO_STREAM,
  RevisionConflict,
  type EventLog,
  type ExpectedRevision,
} from './event-log.ts'
import { seal, sealedSchema, unseal, type EventKey, type EventKeys, type Sealed } from './sealing.ts'

/** An event as a log or a file holds it, parsed but not checked. */
export interface StoredEvent extends Omit<RecordedEvent, 'data' | 'metadata' | 'unreadable'> {
  readonly data: object
  readonly metadata: unknown
}

/** Translates events between the form that the service works with and the stored form. */
export interface Codec {
  /**
   * Events of one stream to store: validated, stamped with the versions of their schemas, and with their personal fields
   * encrypted.
   *
   * @throws InvalidEvent
   * @throws RevisionConflict when they contain personal data, and that of their stream was erased in the meantime
   * @throws LogUnavailable when the keys cannot be reached
   */
  encode(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<readonly NewEvent[]>
  /**
   * Stored events with their personal fields decrypted; those whose key was deleted are marked as erased. An event without
   * encrypted fields is returned itself.
   *
   * @throws MalformedEvent when one was encrypted with another key
   * @throws LogUnavailable when the keys cannot be reached
   */
  open(stored: readonly StoredEvent[]): Promise<readonly StoredEvent[]>
  /**
   * A stored event, opened, in today's form: lifted by its upcasters and validated. One that this version cannot read is marked
   * as `unreadable`, so that it stops only what needs it. One of an unknown type or kind of stream is returned as stored.
   *
   * @throws MalformedEvent
   */
  decode(opened: StoredEvent): RecordedEvent
}

/** A log whose events are as it holds them: of any version, and with their personal fields encrypted. */
export type StoredLog = Pick<EventLog, 'read' | 'subscribe' | 'head' | 'close'>

/** A key, and the stream that it is of. */
interface OwnedKey {
  readonly of: string
  readonly key: EventKey | 'erased' | undefined
}
/** Undefined when nothing is to be encrypted. */
type KeysOf = (event: NewEvent) => OwnedKey | undefined

/** Makes a log a `StoredLog`. */
export const AS_STORED: Codec = {
  encode: async () => {
    throw new Error('this log is only read')
  },
  open: async (stored) => stored,
  decode: (stored) => stored as RecordedEvent,
}

/** @param options.keys without them, personal fields are stored as they are, and read as erased where they are encrypted */
export function createCodec(
  options: { readonly formats?: Readonly<Record<string, EventFormat>>; readonly keys?: EventKeys } = {},
): Codec {
  const { formats = streamKinds, keys } = options
  const formatOf = (stream: string) => own(formats, parseStreamName(stream).category)

  /** The key of a stream with its own; undefined for a stream that began without. */
  const ownKey = async (
    stream: string,
    { begins, subjectOf }: StreamData,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ) => {
    const begin = events.find(({ type }) => type === begins)
    const subject = begin && subjectOf(begin.data, parseStreamName(stream).id)
    if (subject) return keys?.create(stream, subject, { at: begin.metadata.at, again: expected !== NO_STREAM })
    return expected === NO_STREAM ? undefined : (await keys?.find([stream]))?.get(stream)
  }

  const workspaceKey = async (stream: string, workspaceId: string, at: string) =>
    (await keys?.find([stream]))?.get(stream) ?? keys?.create(stream, { workspaceId }, { at })

  const keyOfWorkspace = async (
    stream: string,
    { alone = [] }: WorkspaceData,
    events: readonly NewEvent[],
  ): Promise<KeysOf> => {
    const named = events.find(({ data }) => 'workspaceId' in data && typeof data.workspaceId === 'string')
    if (!named) return () => undefined
    const { workspaceId } = named.data as { readonly workspaceId: string }
    const { at } = named.metadata
    const own = new Map<NewEvent, OwnedKey>()
    for (const event of events.filter(({ type }) => alone.includes(type))) {
      const of = keyOfEvent(stream, event.id)
      own.set(event, {
        of,
        key: await keys?.create(of, { workspaceId, accountId: parseStreamName(stream).id }, { at }),
      })
    }
    if (own.size === events.length) return (event) => own.get(event)
    const of = streamName({ category: WORKSPACE_CATEGORY }, workspaceId)
    const shared = { of, key: await workspaceKey(of, workspaceId, at) }
    return (event) => own.get(event) ?? shared
  }

  /** By event, the key of its personal fields. */
  const keysOf = async (
    stream: string,
    personal: PersonalData,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<KeysOf> => {
    if (!events.some((event) => hasPersonalData(personal, event))) return () => undefined
    if ('key' in personal) return keyOfWorkspace(stream, personal, events)
    const key = await ownKey(stream, personal, events, expected)
    return () => ({ of: stream, key })
  }

  return {
    encode: async (stream, events, expected) => {
      const format = formatOf(stream)
      if (!format) return events
      const checked = events.map((event) => encoded(format, event))
      if (!format.personal) return checked
      const keyOf = await keysOf(stream, format.personal, checked, expected)
      return checked.map((event) => {
        const { of = stream, key } = keyOf(event) ?? {}
        // There is an event about that, which the writer has not seen.
        if (key === 'erased') throw new RevisionConflict(stream, expected, expected + 1)
        return key ? sealed(format, { of, key }, stream, event) : event
      })
    },
    open: async (stored) => {
      const owners = new Set(stored.filter(isSealed).map(ownerOf))
      if (owners.size === 0) return stored
      const found = await keys?.find([...owners])
      return stored.map((event) => (isSealed(event) ? opened(event, found?.get(ownerOf(event))) : event))
    },
    decode: (stored) => {
      const metadata = metadataSchema.safeParse(stored.metadata)
      if (!metadata.success) throw malformed(stored, 'its metadata has another format', metadata.error)
      const format = formatOf(stored.stream)
      return { ...stored, ...(format ? decoded(format, stored, metadata.data) : { metadata: metadata.data }) }
    },
  }
}

/** An erased event that is imported has none. */
function hasPersonalData({ erased }: PersonalData, { type, data }: NewEvent): boolean {
  const values: Readonly<Record<string, unknown>> = { ...data }
  return Object.entries(own(erased, type) ?? {}).some(
    ([name, value]) => values[name] !== undefined && !isDeepStrictEqual(values[name], value),
  )
}

function encoded(format: EventFormat, event: NewEvent): NewEvent {
  const schema = own(format.events, event.type)
  if (!schema) throw new Error(`${event.type} is not an event of a ${format.category}`)
  const checked = schema.safeParse(event.data)
  if (!checked.success) throw new InvalidEvent(describeIssue(checked.error))
  return { ...event, data: checked.data, metadata: stamped(event.metadata, versionOf(format, event.type)) }
}

function sealed(
  format: EventFormat,
  { of, key }: { readonly of: string; readonly key: EventKey },
  stream: string,
  event: NewEvent,
): NewEvent {
  const erased = own(format.personal?.erased, event.type)
  if (!erased) return event
  const fields: Record<string, unknown> = {}
  const data: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(event.data)) (Object.hasOwn(erased, name) ? fields : data)[name] = value
  const { schemaVersion = 1 } = event.metadata
  const sealed: Sealed = { ...seal(key, stream, event, fields), ...(of !== stream && { of }) }
  const encrypted = { schemaVersion: schemaVersion + raisedBy(sealed), sealed }
  return { ...event, data, metadata: { ...event.metadata, ...encrypted } }
}

/**
 * How much higher the schema version of an encrypted event is, so that an earlier version of Fanfare stops at it instead of
 * reading half of it. One that knows only the keys of streams subtracts 1.
 */
function raisedBy({ of }: Sealed): number {
  return of === undefined ? 1 : 2
}

type SealedEvent = StoredEvent & { readonly metadata: z.infer<typeof sealedMetadata> }
const sealedMetadata = z.looseObject({ schemaVersion: z.int().min(2), sealed: sealedSchema })

function isSealed(stored: StoredEvent): stored is SealedEvent {
  const { metadata } = stored
  return typeof metadata === 'object' && metadata !== null && 'sealed' in metadata
}

function ownerOf({ stream, metadata }: SealedEvent): string {
  return metadata.sealed.of ?? stream
}

function opened(stored: SealedEvent, key: EventKey | 'erased' | undefined): StoredEvent {
  const parsed = sealedMetadata.safeParse(stored.metadata)
  if (!parsed.success) throw malformed(stored, 'its encrypted fields have another format', parsed.error)
  const { sealed, schemaVersion, ...metadata } = parsed.data
  const version = schemaVersion - raisedBy(sealed)
  const plain = { ...stored, metadata: { ...metadata, ...(version > 1 && { schemaVersion: version }) } }
  if (key === undefined || key === 'erased' || key.id !== sealed.key) return { ...plain, isErased: true }
  return { ...plain, data: { ...stored.data, ...decrypted(stored, key, sealed) } }
}

function decrypted(stored: StoredEvent, key: EventKey, sealed: Sealed): object {
  try {
    return unseal(key, stored.stream, stored, sealed)
  } catch (error) {
    throw malformed(stored, 'its encrypted fields have been modified', error)
  }
}

function malformed({ id, type, stream, revision }: StoredEvent, reason: string, cause: unknown): MalformedEvent {
  const name = `event ${id} (${type}, ${stream} at ${revision})`
  return new MalformedEvent(`${name} was not written by this service: ${reason}`, { cause })
}

function decoded(
  format: EventFormat,
  { type: written, data, isErased }: StoredEvent,
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
  const checked = schema.safeParse(isErased ? { ...lifted, ...own(format.personal?.erased, type) } : lifted)
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
