import { Refusal } from '../domain/core/errors.ts'
import {
  eventOf,
  streamName,
  UnreadableEvent,
  type Actor,
  type DomainEvent,
  type Metadata,
  type NewEvent,
  type RecordedEvent,
  type StreamKind,
} from '../domain/core/event.ts'
import { derivedId } from '../domain/core/ids.ts'
import {
  EventTooLarge,
  InvalidEvent,
  NO_STREAM,
  RevisionConflict,
  type EventLog,
  type From,
} from '../event-log/event-log.ts'
import { isoTime, type Clock } from '../infra/runtime/clock.ts'

/** What caused a command. `commandId` makes it idempotent: a stream never takes the events of one command twice. */
export interface Cause {
  readonly commandId: string
  readonly actor: Actor
  readonly correlationId: string
  readonly requestId?: string
}

export interface CommandDeps {
  readonly log: EventLog
  readonly clock: Clock
}

/** A stream as it was last read. */
export interface Loaded<State> {
  readonly state: State
  /** Revision of the last event; `NO_STREAM` when there is none. */
  readonly revision: number
}

export interface Handled<State> extends Loaded<State> {
  /** Position of the appended events; absent when there was nothing to append. */
  readonly position?: bigint
}

/** All accounts of a post settle on one stream. One worker wins each round, so the last one conflicts with all the others. */
const MAX_CONFLICTS = 200

/** Events that a command reads before it closes the stream (`StreamKind.close`). */
const CLOSE_AFTER = 200

const UNKNOWN_TYPE = 'this process does not know its type. Upgrade it'

export function fold<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  recorded: readonly RecordedEvent[],
  from: State = kind.initial,
): State {
  return recorded.reduce<State>((state, record) => {
    const event = eventOf(kind, record)
    // A decision that ignores it could be wrong.
    if (!event) throw new UnreadableEvent(record, UNKNOWN_TYPE, true)
    return kind.evolve(state, event, record.metadata)
  }, from)
}

export async function load<State, Event extends DomainEvent>(
  log: EventLog,
  kind: StreamKind<State, Event>,
  id: string,
): Promise<State> {
  return (await loaded(log, kind, id)).state
}

/** @param before the stream as it was read earlier: only the events since then are read */
export async function loaded<State, Event extends DomainEvent>(
  log: EventLog,
  kind: StreamKind<State, Event>,
  id: string,
  before?: Loaded<State>,
): Promise<Loaded<State>> {
  const recorded = await log.read(streamName(kind, id), before ? before.revision + 1 : beginOf(kind))
  return asLoaded(kind, recorded, before)
}

function beginOf<State, Event extends DomainEvent>({ closedBy }: StreamKind<State, Event>): From {
  return closedBy === undefined ? 0 : { lastOf: closedBy }
}

function asLoaded<State, Event extends DomainEvent>(
  kind: StreamKind<State, Event>,
  recorded: readonly RecordedEvent[],
  before?: Loaded<State>,
): Loaded<State> {
  const revision = recorded.at(-1)?.revision ?? before?.revision ?? NO_STREAM
  return { state: fold(kind, recorded, before?.state), revision }
}

/**
 * Runs one decision against one stream: read, fold, decide, append at the revision read. On a conflict it decides again.
 * A caller that has the stream as it was last read (`known`), or knows that there is none (`expectNew`), saves the first
 * read: if that is out of date, the append conflicts. A command that is repeated after the stream was closed (`closedBy`) is
 * decided again.
 *
 * `decide` may read other streams: it reads them after this one, whose append conflicts if this one has changed since.
 *
 * @throws Refusal what `decide` throws, or invalid_request naming a field that cannot be stored
 * @throws LogUnavailable the command may be repeated with the same `commandId`
 */
export async function handle<State, Event extends DomainEvent>(
  { log, clock }: CommandDeps,
  kind: StreamKind<State, Event>,
  id: string,
  cause: Cause,
  decide: (state: State) => readonly Event[] | Promise<readonly Event[]>,
  options: { readonly expectNew?: boolean; readonly known?: Loaded<State> } = {},
): Promise<Handled<State>> {
  const stream = streamName(kind, id)
  const known = options.expectNew ? asLoaded(kind, []) : options.known
  let canClose = true
  for (let conflicts = 0; ; conflicts += 1) {
    const isKnown = known !== undefined && conflicts === 0
    const recorded = isKnown ? [] : await log.read(stream, beginOf(kind))
    const { state, revision } = isKnown ? known : asLoaded(kind, recorded)
    const earlier = recorded.findLast((event) => event.metadata.causationId === cause.commandId)
    if (earlier) return { state, revision, position: earlier.position }
    const decided = await decide(state)
    if (decided.length === 0) return { state, revision }
    const at = isoTime(clock.now())
    const metadata = metadataOf(cause, at)
    const evolved = decided.reduce((next, event) => kind.evolve(next, event, metadata), state)
    const closing = canClose && recorded.length >= CLOSE_AFTER ? kind.close?.(evolved) : undefined
    const events = closing ? [...decided, closing] : decided
    const written = events.map((event, index) => ({ ...event, id: derivedId(cause.commandId, index), metadata }))
    try {
      const appended = await log.append(stream, written, revision)
      return { state: evolved, ...appended }
    } catch (error) {
      // A state that does not fit into one event keeps its stream open, and never stops a command.
      if (closing && (error instanceof EventTooLarge || error instanceof InvalidEvent)) {
        canClose = false
        continue
      }
      if (error instanceof EventTooLarge) throw tooLarge(written, error)
      if (error instanceof InvalidEvent) throw new Refusal('invalid_request', error.message)
      if (!(error instanceof RevisionConflict) || conflicts >= MAX_CONFLICTS) throw error
    }
  }
}

function metadataOf({ actor, correlationId, commandId, requestId }: Cause, at: string): Metadata {
  return { at, actor, correlationId, causationId: commandId, ...(requestId === undefined ? {} : { requestId }) }
}

/** Each field is within its own limit, but together they are too large: the error names the largest. */
function tooLarge(events: readonly NewEvent[], { message }: EventTooLarge): Refusal {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')
  const fields = events.flatMap(({ data }) => Object.entries(data))
  const [largest] = fields.toSorted(([, one], [, other]) => bytesOf(other) - bytesOf(one))
  return new Refusal('invalid_request', `${largest?.[0]} is too large to store: ${message}`)
}
