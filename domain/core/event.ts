import { z } from 'zod'

/** Who caused an event: an API key, a dashboard user, a person at the command line, or a reactor. */
export const actorSchema = z.object({
  kind: z.enum(['api-key', 'user', 'cli', 'reactor']),
  id: z.string(),
})
export type Actor = z.infer<typeof actorSchema>

/** The circumstances of an event. `at` is ISO 8601 UTC with milliseconds. */
export const metadataSchema = z.object({
  at: z.iso.datetime(),
  actor: actorSchema,
  correlationId: z.string(),
  causationId: z.string(),
  requestId: z.string().optional(),
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
}

/** The schemas of one stream kind's events, by event type. */
export type EventSchemas = Readonly<Record<string, z.ZodType<object>>>

/** The discriminated union described by a set of event schemas. */
export type EventOf<S extends EventSchemas> = {
  [T in keyof S & string]: { readonly type: T; readonly data: Readonly<z.infer<S[T]>> }
}[keyof S & string]

/** One kind of stream: its events, and how they fold into a state. Streams are named `<category>-<id>`. */
export interface StreamKind<State, Event extends DomainEvent> {
  readonly category: string
  readonly events: EventSchemas
  readonly initial: State
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

/** Narrows a recorded event to a kind's own; undefined when it is of another kind or an unknown type. */
export function eventOf<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  recorded: Pick<RecordedEvent, 'stream' | 'type' | 'data'>,
): Event | undefined {
  const { stream, type } = recorded
  const { category } = kind
  // Every read model calls this for every event, so it does not parse the stream name.
  const known = stream[category.length] === '-' && stream.startsWith(category) && Object.hasOwn(kind.events, type)
  return known ? ({ type: recorded.type, data: recorded.data } as Event) : undefined
}
