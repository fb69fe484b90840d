import { Refusal } from '../../domain/core/errors.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { ID_PREFIXES, streamsOf } from '../../domain/log/stream-of.ts'
import { describeEvent } from '../../domain/log/describe.ts'
import type { Core } from '../wiring/core.ts'

export interface AuditEntry {
  readonly at: string
  readonly by: string
  readonly type: string
  readonly summary: string
  readonly stream: string
  readonly revision: number
  readonly requestId?: string
  readonly correlationId: string
  readonly data: object
}

/**
 * Everything that happened to a resource, oldest first, even if it has been deleted.
 *
 * @throws Refusal for an invalid id, or one without any events
 */
export async function auditOf(core: Pick<Core, 'log'>, id: string): Promise<readonly AuditEntry[]> {
  return (await eventsOf(core, id)).map(entryOf)
}

/** @throws Refusal for an invalid id, or one without any events */
export async function eventsOf({ log }: Pick<Core, 'log'>, id: string): Promise<readonly RecordedEvent[]> {
  const streams = streamsOf(id)
  if (streams.length === 0) {
    throw new Refusal('invalid_request', `${id} is not an id; ids begin with ${ID_PREFIXES.join('_, ')}_`)
  }
  const events = (await Promise.all(streams.map((stream) => log.read(stream)))).flat()
  if (events.length === 0) throw new Refusal('not_found', `There are no events for ${id}.`)
  return events.toSorted((one, other) => (one.position < other.position ? -1 : one.position > other.position ? 1 : 0))
}

function entryOf(event: RecordedEvent): AuditEntry {
  const { stream, revision, type, data, metadata } = event
  const { at, actor, requestId, correlationId } = metadata
  return {
    ...{ at, by: `${actor.kind} ${actor.id}`, type, summary: describeEvent(event), stream, revision },
    ...(requestId !== undefined && { requestId }),
    ...{ correlationId, data },
  }
}

/** A timeline with one line per event. */
export function timeline(entries: readonly AuditEntry[]): string {
  const width = Math.max(...entries.map(({ by }) => by.length))
  return entries.map(({ at, by, summary }) => `${at}  ${by.padEnd(width)}  ${summary}`).join('\n')
}
