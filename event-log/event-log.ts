import type { NewEvent, RecordedEvent } from '../domain/core/event.ts'

/** The revision a stream must be at for an append to be taken: that of its last event, or `NO_STREAM`. */
export type ExpectedRevision = number
export const NO_STREAM: ExpectedRevision = -1

/** Where a reader of the whole log begins: after this position. */
export const START: bigint = -1n

/** The largest event (data and metadata as JSON, in bytes) that every log takes. */
export const MAX_EVENT_BYTES = 256 * 1024

export interface Appended {
  /** Position of the last event of the append. */
  readonly position: bigint
  /** Revision of the last event of the append. */
  readonly revision: number
}

/** What a subscription hands on: events in log order, or the mark that nothing more is waiting. */
export type Delivery =
  { readonly kind: 'events'; readonly events: readonly RecordedEvent[] } | { readonly kind: 'caught-up' }

export interface SubscribeOptions {
  /** Only streams of these categories (the name up to the first hyphen). Absent: all of ours. */
  readonly categories?: readonly string[]
  /** The most events in one delivery. Default 1,000. */
  readonly batchSize?: number
  /** Ends the subscription: the iteration completes without an error. */
  readonly signal?: AbortSignal
}

/**
 * The log of everything that happened.
 *
 * There is no "append at any revision": idempotence is exact only with an expected one, so the rule is in the type.
 */
export interface EventLog {
  /**
   * Appends all events or none. When the stream is already past `expected` and the events that follow it are these
   * very ones (by id), the append was done before: the first result is given again and nothing is written.
   *
   * @throws RevisionConflict when the stream is elsewhere than expected
   * @throws EventTooLarge when an event is over `MAX_EVENT_BYTES`
   * @throws LogUnavailable when the outcome is not known or the log can't be reached; the same append is safe to repeat
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>

  /** The events of one stream from a revision on; an absent stream has none. */
  read(stream: string, fromRevision?: number): Promise<readonly RecordedEvent[]>

  /**
   * All events after a position, then live. Never skips an event, gives none twice, and says `caught-up` each time the
   * reader has had everything there was. At most one delivery is fetched before the consumer asks for it.
   *
   * @throws LogUnavailable when the log goes away; subscribe again from the last position handled
   */
  subscribe(after: bigint, options?: SubscribeOptions): AsyncIterable<Delivery>

  /** The position of the last event, `START` when there is none. */
  head(): Promise<bigint>

  /** Answers when the log is reachable, throws LogUnavailable otherwise. */
  ping(): Promise<void>

  close(): Promise<void>
}

export class RevisionConflict extends Error {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly actual: ExpectedRevision

  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(`stream ${stream} is at revision ${actual}, not at ${expected}`)
    this.name = 'RevisionConflict'
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

export class EventTooLarge extends Error {
  constructor(type: string, bytes: number) {
    super(`event ${type} has ${bytes} bytes, the limit is ${MAX_EVENT_BYTES}`)
    this.name = 'EventTooLarge'
  }
}

export class LogUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LogUnavailable'
  }
}
