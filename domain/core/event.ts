import * as z from 'zod'
import type { PersonalData } from './personal-data.ts'

/** Who caused an event: an API key, a dashboard user, a person at the command line, or a reactor. */
export const actorSchema = z.object({
  kind: z.enum(['api-key', 'user', 'cli', 'reactor']),
  id: z.string(),
  via: z.literal('mcp').optional().describe('An agent, which acts with the key.'),
})
export type Actor = z.infer<typeof actorSchema>

/** The circumstances of an event. `at` is ISO 8601 UTC with milliseconds. */
export const metadataSchema = z.object({
  at: z.iso.datetime(),
  actor: actorSchema,
  correlationId: z.string(),
  causationId: z.string(),
  requestId: z.string().optional(),
  /** The version of the schema that the data follows. Set by the log; absent: 1. */
  schemaVersion: z.int().positive().optional(),
})
export type Metadata = z.infer<typeof metadataSchema>

/** An event as a decider creates it: past tense, flat plain JSON. */
export interface DomainEvent {
  readonly type: string
  readonly data: object
}

/** An event to append. `id` is a UUID derived from its cause, so that appending it twice is harmless. */
export interface NewEvent {
  readonly id: string
  readonly type: string
  readonly data: object
  readonly metadata: Metadata
}

/**
 * An event read from the log. `revision` counts from 0 within its stream; `position` orders the whole log and increases, not
 * necessarily by one.
 */
export interface RecordedEvent extends NewEvent {
  readonly stream: string
  readonly revision: number
  readonly position: bigint
  /** Set when the key of its personal fields is gone: they read as in `PersonalData.erased`. */
  readonly isErased?: true
  /** Why this version of Fanfare cannot read the event. Its data is then as stored. */
  readonly unreadable?: { readonly reason: string; readonly isNewer: boolean }
}

/** An event that a decision or a read model needs, and that this version of Fanfare cannot read. */
export class UnreadableEvent extends Error {
  /** Whether a newer version of Fanfare wrote it, and can read it. */
  readonly isNewer: boolean

  constructor({ stream, type }: Pick<RecordedEvent, 'stream' | 'type'>, reason: string, isNewer: boolean) {
    super(`${type} of ${stream} cannot be read: ${reason}`)
    this.name = 'UnreadableEvent'
    this.isNewer = isNewer
  }
}

/** The schemas of one stream kind's events, by event type. */
export type EventSchemas = Readonly<Record<string, z.ZodType<object>>>

/** The discriminated union described by a set of event schemas. */
export type EventOf<S extends EventSchemas> = {
  [T in keyof S & string]: { readonly type: T; readonly data: Readonly<z.infer<S[T]>> }
}[keyof S & string]

/** Turns an event's data from one schema version into the next. Pure, and takes whatever earlier versions wrote. */
export type Upcaster = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** For a version that only adds an optional field, or is encrypted. */
export const unchanged: Upcaster = (data) => data

/** How the events of one kind of stream are written, and how those of earlier versions are read. */
export interface EventFormat {
  /** Streams are named `<category>-<id>`. */
  readonly category: string
  readonly events: EventSchemas
  /** By type, from version 1 to 2, from 2 to 3, and so on: a type's version is 1 plus the number of its upcasters. */
  readonly upcasters?: Readonly<Record<string, readonly Upcaster[]>>
  /** The names of types that have another name today. */
  readonly renamed?: Readonly<Record<string, string>>
  readonly personal?: PersonalData
}

/** One kind of stream: its events, and how they fold into a state. */
export interface StreamKind<State, Event extends DomainEvent> extends EventFormat {
  readonly initial: State
  /** The type of an event that contains the whole state: a fold begins at the last one (decision 44). */
  readonly closedBy?: Event['type']
  /** That event for a state, added after many events; undefined while the state cannot be closed. */
  readonly close?: (state: State) => Event | undefined
  readonly evolve: (state: State, event: Event, metadata: Metadata) => State
}

export function streamName(kind: { readonly category: string }, id: string): string {
  return `${kind.category}-${id}`
}

/** The parts of a stream's name. The category never holds a hyphen, so the first one ends it. */
export function parseStreamName(stream: string): { category: string; id: string } {
  const hyphen = stream.indexOf('-')
  return { category: stream.slice(0, hyphen), id: stream.slice(hyphen + 1) }
}

/**
 * Narrows a recorded event to a kind's own; undefined when it is of another kind or an unknown type.
 *
 * @throws UnreadableEvent
 */
export function eventOf<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  recorded: Pick<RecordedEvent, 'stream' | 'type' | 'data' | 'unreadable'>,
): Event | undefined {
  const { stream, type, unreadable } = recorded
  const { category } = kind
  // Every read model calls this for every event, so it does not parse the stream name.
  const known = stream[category.length] === '-' && stream.startsWith(category) && Object.hasOwn(kind.events, type)
  if (!known) return undefined
  if (unreadable !== undefined) throw new UnreadableEvent(recorded, unreadable.reason, unreadable.isNewer)
  return { type: recorded.type, data: recorded.data } as Event
}
