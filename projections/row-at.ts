import type { EventLog } from '../event-log/event-log.ts'
import type { Projection, Row } from './projection.ts'

/**
 * A read model's row as it was at a time, made anew of its stream's events up to then; undefined when there was none.
 *
 * @param projection one whose rows are made of one stream each
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
  return events
    .filter(({ metadata }) => metadata.at <= at)
    .reduce<R | undefined>((row, event) => projection.apply(row, event, id), undefined)
}
