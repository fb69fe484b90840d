import { derivedUlid } from './ids.ts'
import { eventOf, parseStreamName, type RecordedEvent } from './event.ts'
import { post } from './post.ts'

/** What webhooks can ask for (api-spec §6). */
export const PUBLIC_EVENTS = ['post.published', 'post.failed', 'comment.received', 'reply.sent'] as const
/** What is delivered: those, and the one that a webhook is tried with. */
export const DELIVERED_EVENTS = [...PUBLIC_EVENTS, 'webhook.test'] as const
export type PublicEventName = (typeof PUBLIC_EVENTS)[number]

/** An event as it is told outside. */
export interface PublicEvent {
  /** `evt_..`, the same to every receiver and in `GET /events`. */
  readonly id: string
  readonly workspaceId: string
  readonly event: PublicEventName
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Categories of the streams that public events come from. */
export const PUBLIC_CATEGORIES: readonly string[] = [post.category]

/** What an event of the log is to the outside; undefined when it is nobody's business. */
export function publicEvent(recorded: RecordedEvent): PublicEvent | undefined {
  const finished = eventOf(post, recorded)
  if (finished?.type !== 'PostFinished') return undefined
  const { status, workspaceId, results, okCount, total } = finished.data
  return {
    id: `evt_${derivedUlid('public-event', recorded.id)}`,
    workspaceId,
    event: status === 'published' ? 'post.published' : 'post.failed',
    createdAt: recorded.metadata.at,
    data: { runId: parseStreamName(recorded.stream).id, results, okCount, total },
  }
}

/** The body of a delivery (api-spec §6). Made once: what is signed and sent again is these bytes. */
export function bodyOf(event: Omit<PublicEvent, 'workspaceId' | 'event'> & { readonly event: string }): string {
  const { id, event: name, createdAt, data } = event
  return JSON.stringify({ id, event: name, createdAt, data })
}
