import type { RecordedEvent } from '../../domain/core/event.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Projection, Row } from './projection.ts'

/**
 * A read model's row at a point in time, folded from its stream's events; undefined when there was none.
 *
 * @param projection one whose rows are each built from one stream
 * @param at ISO 8601 UTC with milliseconds
 */
export async function rowAt<R extends Row>(
  log: Pick<EventLog, 'read'>,
  projection: Projection<R>,
  stream: string,
  id: string,
  at: string,
): Promise<R | undefined> {
  const events = await log.read(stream)
  return eventsUntil(events, at).reduce<R | undefined>((row, event) => projection.apply(row, event, id), undefined)
}

/**
 * A stream's events up to a point in time. Clocks of two processes may differ, so this stops at the first later event: skipping
 * only that event would give a state that never existed.
 *
 * @param at ISO 8601 UTC with milliseconds
 */
export function eventsUntil(events: readonly RecordedEvent[], at: string): readonly RecordedEvent[] {
  const later = events.findIndex(({ metadata }) => metadata.at > at)
  return later < 0 ? events : events.slice(0, later)
}
