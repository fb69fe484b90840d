import { streamName, type DomainEvent, type StreamKind } from '../../domain/core/event.ts'
import { NO_STREAM, type Appended, type EventLog } from '../../event-log/event-log.ts'
import { metadata } from './post.ts'

/** Starts a stream with one event, as a command would. */
export function beginStream<State, Event extends DomainEvent>(
  log: EventLog,
  kind: StreamKind<State, Event>,
  id: string,
  event: Event,
): Promise<Appended> {
  const { type, data } = event
  return log.append(streamName(kind, id), [{ id: crypto.randomUUID(), type, data, metadata: metadata() }], NO_STREAM)
}
