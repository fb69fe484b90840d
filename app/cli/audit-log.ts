import { streamKinds } from '../../domain/log/event-kinds.ts'
import { parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { intentBook } from '../../domain/core/intents.ts'
import { START } from '../../event-log/event-log.ts'
import type { Core } from '../wiring/core.ts'

/** The result of an audit of the log. */
export interface LogAudit {
  readonly events: number
  readonly streams: number
  /** The position of the last event. */
  readonly position: string
  readonly intact: boolean
  /** The first faults, each with its stream and revision. */
  readonly faults: readonly string[]
  readonly faultCount: number
  /** How many signed heads were compared with the log. */
  readonly heads?: number
}

/** Faults beyond this are counted but not listed. */
const MOST_REPORTED = 100
const TELL_EVERY = 50_000

/**
 * Reads the whole log and checks its integrity: positions only grow, no stream has a gap in its revisions, every event passes its
 * schema, and every outcome is preceded by its intent.
 *
 * @param progress called from time to time with the number of events read
 */
export async function auditLog(
  { log }: Pick<Core, 'log'>,
  progress: (events: number) => void = () => undefined,
): Promise<LogAudit> {
  const lengths = new Map<string, number>()
  const intents = intentBook()
  const faults: string[] = []
  let [events, faultCount, position] = [0, 0, START]
  const fault = (event: RecordedEvent, what: string) => {
    faultCount += 1
    if (faults.length < MOST_REPORTED) faults.push(`${event.stream} revision ${event.revision}: ${what}`)
  }
  for await (const delivery of log.subscribe(START)) {
    if (delivery.kind === 'caught-up') break
    for (const event of delivery.events) {
      const length = lengths.get(event.stream) ?? 0
      if (event.position <= position) fault(event, `its position ${event.position} is not after ${position}`)
      if (event.revision !== length) fault(event, `revision ${length} was expected`)
      for (const wrong of [wrongWith(event), intents.missing(event)]) if (wrong !== undefined) fault(event, wrong)
      position = event.position
      lengths.set(event.stream, event.revision + 1)
      events += 1
      if (events % TELL_EVERY === 0) progress(events)
    }
  }
  const found = { events, streams: lengths.size, position: String(position) }
  return { ...found, intact: faultCount === 0, faults, faultCount }
}

/** Adds whether the log is still the one that was signed. Reads it once more, as it is stored. */
export async function auditHeads({ tree }: Pick<Core, 'tree'>, found: LogAudit): Promise<LogAudit> {
  const { heads, faults } = await (await tree()).verify()
  return {
    ...{ ...found, heads, intact: found.intact && faults.length === 0, faultCount: found.faultCount + faults.length },
    faults: [...faults, ...found.faults].slice(0, MOST_REPORTED),
  }
}

/** Why this version cannot read an event; `undefined` if it can. */
export function wrongWith({ stream, type, unreadable }: RecordedEvent): string | undefined {
  const { category } = parseStreamName(stream)
  const format = Object.hasOwn(streamKinds, category) ? streamKinds[category] : undefined
  if (!format || !Object.hasOwn(format.events, type)) return `${type} is not an event of a ${category}`
  return unreadable && `${type} cannot be read: ${unreadable.reason}`
}
