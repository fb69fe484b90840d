import { parseStreamName, type NewEvent } from '../../domain/core/event.ts'
import {
  LogUnavailable,
  NO_STREAM,
  RevisionConflict,
  type Appended,
  type Delivery,
  type EventLog,
} from '../../event-log/event-log.ts'
import { stopwatch } from '../../infra/runtime/stopwatch.ts'
import { countEvent } from './event-counts.ts'
import { lifeOfStream } from './life.ts'
import type { SpanEnd } from './tracing.ts'
import type { Watch } from './watch.ts'

type Append = Parameters<EventLog['append']>

/** The event log, with every append counted, timed, traced and logged. */
export function watchedLog(log: EventLog, { meter, tracing, logger }: Watch): EventLog {
  const append = async (span: SpanEnd, [stream, events, expected]: Append): Promise<Appended> => {
    const { category } = parseStreamName(stream)
    const took = stopwatch()
    const ended = (outcome: string): void => {
      meter.observe('fanfare_append_seconds', {}, took())
      meter.count('fanfare_appends_total', { category, outcome })
      span.set({ 'fanfare.outcome': outcome })
    }
    try {
      const appended = await log.append(stream, events, expected)
      ended('appended')
      meter.count('fanfare_appended_events_total', { category }, events.length)
      for (const event of events) countEvent(meter, { ...event, stream })
      logger.debug(lineOf(stream, events, appended), 'appended')
      return appended
    } catch (error) {
      ended(outcomeOf(error))
      throw error
    }
  }

  return {
    ...log,
    append: (...given) => {
      const [stream, events, expected] = given
      const named = parseStreamName(stream)
      const about = {
        name: named.category,
        life: lifeOfStream(named),
        isFirst: expected === NO_STREAM,
        isUsual: (error: unknown) => error instanceof RevisionConflict,
        attributes: {
          'fanfare.stream': stream,
          'fanfare.events': events.map(({ type }) => type),
          'fanfare.correlation_id': events[0]?.metadata.correlationId ?? '',
        },
      }
      return tracing.append(about, (span) => append(span, given))
    },
  }
}

/** The event log as followed by one reader. */
export function watchedReading(log: EventLog, reader: string, { meter }: Watch): EventLog {
  async function* subscribe(...given: Parameters<EventLog['subscribe']>): AsyncGenerator<Delivery> {
    for await (const delivery of log.subscribe(...given)) {
      if (delivery.kind === 'events') meter.observe('fanfare_log_batch_events', { reader }, delivery.events.length)
      const took = stopwatch()
      yield delivery
      if (delivery.kind === 'events') meter.observe('fanfare_log_batch_seconds', { reader }, took())
    }
  }
  return { ...log, subscribe }
}

function outcomeOf(error: unknown): string {
  if (error instanceof RevisionConflict) return 'conflict'
  return error instanceof LogUnavailable ? 'unavailable' : 'refused'
}

/** The types and cause of the events, never their content. */
function lineOf(stream: string, events: readonly NewEvent[], { position }: Appended): object {
  const { correlationId, requestId } = events[0]?.metadata ?? {}
  return { stream, events: events.map(({ type }) => type), position: String(position), correlationId, requestId }
}
