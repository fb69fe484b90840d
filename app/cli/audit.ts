import { Refusal } from '../../domain/core/errors.ts'
import type { RecordedEvent } from '../../domain/core/event.ts'
import { ID_PREFIXES, streamsOf } from '../../domain/log/stream-of.ts'
import { causerOf, describeEvent } from '../../domain/log/describe.ts'
import { actorKindOf } from '../../domain/log/activity.ts'
import { workspaceNamedBy } from '../../domain/log/belonging.ts'
import { actorName, namesIn, type Names } from '../../api/kit/names.ts'
import type { Core } from '../wiring/core.ts'
import { columns } from './output.ts'

export interface AuditEntry {
  readonly at: string
  readonly by: string
  /** Who that is, as people know it. */
  readonly name: string
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
export async function auditOf(core: Pick<Core, 'db' | 'log'>, id: string): Promise<readonly AuditEntry[]> {
  const events = await eventsOf(core, id)
  const workspaceId = events.map(workspaceNamedBy).find((named) => named !== undefined)
  const names = await namesIn(core.db, workspaceId ?? '')
  return events.map((event) => entryOf(event, names))
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

function entryOf(event: RecordedEvent, names: Names): AuditEntry {
  const { stream, revision, type, data, metadata } = event
  const { at, requestId, correlationId } = metadata
  const by = causerOf(event)
  return {
    ...{
      at,
      by: `${by.kind} ${by.id}`,
      name: `${actorKindOf(by)} ${actorName(by, names)}`,
      type,
      summary: describeEvent(event),
      stream,
      revision,
    },
    ...(requestId !== undefined && { requestId }),
    ...{ correlationId, data },
  }
}

/** A timeline with one line per event. */
export function timeline(entries: readonly AuditEntry[]): string {
  return columns(entries.map(({ at, name, summary }) => [at, name, summary]))
}
