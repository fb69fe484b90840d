import { derivedUlid } from '../core/ids.ts'
import { comment, type CommentContent } from '../conversation/comment.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../core/event.ts'
import { post } from '../post/post.ts'
import { reply } from '../conversation/reply.ts'

/** The events that webhooks can subscribe to (api-spec §6). */
export const PUBLIC_EVENTS = ['post.published', 'post.failed', 'comment.received', 'reply.sent'] as const
/** The events that are delivered: those, and the test event. */
export const DELIVERED_EVENTS = [...PUBLIC_EVENTS, 'webhook.test'] as const
export type PublicEventName = (typeof PUBLIC_EVENTS)[number]

/** An event as published to receivers and the API. */
export interface PublicEvent {
  /** `evt_..`, the same for every receiver and in `GET /events`. */
  readonly id: string
  readonly workspaceId: string
  readonly event: PublicEventName
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Categories of the streams that produce public events. */
export const PUBLIC_CATEGORIES: readonly string[] = [post.category, comment.category, reply.category]

/** The public form of a recorded event; undefined when the event is internal. */
export function publicEvent(recorded: RecordedEvent): PublicEvent | undefined {
  const content = publicEventOf(recorded)
  return content && { ...content, id: publicEventId(recorded), createdAt: recorded.metadata.at }
}

export function publicEventId(recorded: RecordedEvent): string {
  return `evt_${derivedUlid('public-event', recorded.id)}`
}

type PublicContent = Pick<PublicEvent, 'workspaceId' | 'event' | 'data'> | undefined

/** The public event without its id and time. Undefined as above, or once its personal data is erased. */
export function publicEventOf(recorded: RecordedEvent): PublicContent {
  if (recorded.isErased) return undefined
  return finishedPost(recorded) ?? receivedComment(recorded) ?? sentReply(recorded)
}

function finishedPost(recorded: RecordedEvent): PublicContent {
  const finished = eventOf(post, recorded)
  if (finished?.type !== 'PostFinished') return undefined
  const { status, workspaceId, results, okCount, total } = finished.data
  const data = { runId: parseStreamName(recorded.stream).id, results, okCount, total }
  return { workspaceId, event: status === 'published' ? 'post.published' : 'post.failed', data }
}

function receivedComment(recorded: RecordedEvent): PublicContent {
  const received = eventOf(comment, recorded)
  if (received?.type !== 'CommentReceived') return undefined
  const { workspaceId, replied, ...content } = received.data
  return { workspaceId, event: 'comment.received', data: { ...publicComment(content), replied, dismissed: false } }
}

/** The public form of a comment (decisions, "Replies and comments"). */
export function publicComment(
  content: Omit<CommentContent, 'workspaceId' | 'replied'>,
): Readonly<Record<string, unknown>> {
  const { commentId: id, platform, accountId, kind, postId, author, authorId, text, createdAt, references } = content
  return {
    id,
    platform,
    accountId,
    kind,
    ...(postId !== undefined && { postId }),
    author,
    ...(authorId !== undefined && { authorId }),
    text,
    createdAt,
    ...references,
  }
}

function sentReply(recorded: RecordedEvent): PublicContent {
  const sent = eventOf(reply, recorded)
  if (sent?.type !== 'ReplySent') return undefined
  const { workspaceId, platform, accountId, commentId, text, platformReplyId, source } = sent.data
  const replyId = parseStreamName(recorded.stream).id
  const data = { replyId, platform, accountId, commentId, text, platformReplyId, source }
  return { workspaceId, event: 'reply.sent', data }
}

/** The body of a delivery (api-spec §6). Built once: every attempt signs and sends these bytes. */
export function bodyOf(event: Omit<PublicEvent, 'workspaceId' | 'event'> & { readonly event: string }): string {
  const { id, event: name, createdAt, data } = event
  return JSON.stringify({ id, event: name, createdAt, data })
}
