import type { NewEvent, RecordedEvent } from '../domain/core/event.ts'
import { Unavailable } from '../infra/runtime/unavailable.ts'

/** The revision that a stream must be at for an append to succeed: that of its last event, or `NO_STREAM`. */
export type ExpectedRevision = number
export const NO_STREAM: ExpectedRevision = -1

/** Where to begin to read a stream: at a revision, or at the last event of a type, if there is one. */
export type From = number | { readonly lastOf: string }

/** The position to subscribe after, to read the whole log. */
export const START: bigint = -1n

/** The largest event (data and metadata as JSON, in bytes) that every log accepts. */
export const MAX_EVENT_BYTES = 256 * 1024

export interface Appended {
  /** Position of the last event of the append. */
  readonly position: bigint
  /** Revision of the last event of the append. */
  readonly revision: number
}

/**
 * What a subscription yields: events in log order, or a marker that nothing more is waiting up to a position, which may be that of an
 * event of another category.
 */
export type Delivery =
  | { readonly kind: 'events'; readonly events: readonly RecordedEvent[] }
  | { readonly kind: 'caught-up'; readonly position: bigint }

export interface SubscribeOptions {
  /** Only streams of these categories (the name up to the first hyphen). Absent: all but the server's own. */
  readonly categories?: readonly string[]
  /** The most events in one delivery. Default 1,000. */
  readonly batchSize?: number
  /** Ends the subscription: the iteration completes without an error. */
  readonly signal?: AbortSignal
}

/**
 * The event log.
 *
 * There is no "append at any revision": idempotence is exact only with an expected revision, so the type requires one.
 */
export interface EventLog {
  /**
   * Appends all events or none. If the stream is already past `expected` and these same events (by id) follow it, the append
   * was done before: returns its result and writes nothing.
   *
   * @throws RevisionConflict when the stream is at another revision
   * @throws InvalidEvent when an event does not match its schema
   * @throws EventTooLarge when an event is over `MAX_EVENT_BYTES`
   * @throws LogUnavailable when the outcome is unknown or the log is unreachable; repeating the same append is safe
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>

  /**
   * The events of one stream, all by default; empty for a stream that does not exist. One that this version cannot read is
   * marked as `unreadable`, also in `subscribe`.
   *
   * @throws MalformedEvent
   */
  read(stream: string, from?: From): Promise<readonly RecordedEvent[]>

  /**
   * All events after a position, then live. Never skips or repeats an event, and yields `caught-up` once, when the reader has
   * first received everything. Fetches at most one delivery ahead of the consumer.
   *
   * @throws LogUnavailable when the log becomes unavailable; subscribe again from the last position handled
   */
  subscribe(after: bigint, options?: SubscribeOptions): AsyncIterable<Delivery>

  /** The position of the last event; `START` when there is none. */
  head(): Promise<bigint>

  /** Resolves when the log is reachable, throws LogUnavailable otherwise. */
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
    super(`event ${type} has ${bytes} bytes; the limit is ${MAX_EVENT_BYTES}`)
    this.name = 'EventTooLarge'
  }
}

/** An event that does not match its schema. The message names the first field that is wrong. */
export class InvalidEvent extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidEvent'
  }
}

/** An event that this service cannot have written. Reading it again will not help. */
export class MalformedEvent extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MalformedEvent'
  }
}

export class LogUnavailable extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LogUnavailable'
  }
}
