import { account } from '../account/account.ts'
import { derivedUlid } from '../core/ids.ts'
import { comment, type CommentContent } from '../conversation/comment.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../core/event.ts'
import { reviewerOf } from '../post/approval.ts'
import { post } from '../post/post.ts'
import { reply } from '../conversation/reply.ts'

/** The events of api-spec §6: those that a client that asks for none in particular gets. */
export const DEFAULT_EVENTS = ['post.published', 'post.failed', 'comment.received', 'reply.sent'] as const
/** The events that webhooks can subscribe to. */
export const PUBLIC_EVENTS = [
  ...DEFAULT_EVENTS,
  'post.scheduled',
  'post.partially_failed',
  'account.needs_reauth',
  'account.expiring',
  'approval.requested',
  'approval.decided',
] as const
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
export const PUBLIC_CATEGORIES: readonly string[] = [account.category, post.category, comment.category, reply.category]

/** The public forms of a recorded event: none when it is internal, or once its personal data is erased. */
export function publicEvents(recorded: RecordedEvent): readonly PublicEvent[] {
  if (recorded.isErased) return []
  return contents(recorded).map((content) => ({
    ...content,
    id: publicEventId(recorded, content.event),
    createdAt: recorded.metadata.at,
  }))
}

/** One recorded event may have two public ones: a post that is partly published. */
function publicEventId({ id }: RecordedEvent, event: PublicEventName): string {
  return `evt_${event === 'post.partially_failed' ? derivedUlid('public-event', id, event) : derivedUlid('public-event', id)}`
}

type PublicContent = Pick<PublicEvent, 'workspaceId' | 'event' | 'data'>

function contents(recorded: RecordedEvent): readonly PublicContent[] {
  return [...ofPost(recorded), ...receivedComment(recorded), ...sentReply(recorded), ...ofAccount(recorded)]
}

function ofPost(recorded: RecordedEvent): readonly PublicContent[] {
  const event = eventOf(post, recorded)
  const runId = parseStreamName(recorded.stream).id
  if (event?.type === 'PostScheduled') {
    // `approval.requested` and `approval.decided` say what becomes of it.
    if (event.data.awaitsApproval) return []
    const { workspaceId, dueAt: scheduledFor, mediaType, selections } = event.data
    return [{ workspaceId, event: 'post.scheduled', data: { runId, scheduledFor, mediaType, selections } }]
  }
  if (event?.type === 'ApprovalRequested') {
    const { workspaceId, dueAt, publishes } = event.data
    const scheduledFor = publishes === 'at_time' ? dueAt : null
    const data = { runId, scheduledFor, requestedBy: recorded.metadata.actor }
    return [{ workspaceId, event: 'approval.requested', data }]
  }
  if (event?.type === 'ApprovalDecided') {
    const { workspaceId, decision, dueAt, comment, requestedBy } = event.data
    const scheduledFor = decision === 'approved' ? dueAt : null
    const who = { requestedBy, decidedBy: reviewerOf(event, recorded.metadata.actor) }
    const data = { runId, decision, ...(comment !== undefined && { comment }), scheduledFor, ...who }
    return [{ workspaceId, event: 'approval.decided', data }]
  }
  if (event?.type !== 'PostFinished') return []
  const { status, workspaceId, results, okCount, total } = event.data
  const content = { workspaceId, data: { runId, results, okCount, total } }
  if (status !== 'published') return [{ ...content, event: 'post.failed' }]
  const published = { ...content, event: 'post.published' } as const
  return okCount < total ? [published, { ...content, event: 'post.partially_failed' }] : [published]
}

function ofAccount(recorded: RecordedEvent): readonly PublicContent[] {
  const event = eventOf(account, recorded)
  const accountId = parseStreamName(recorded.stream).id
  if (event?.type === 'AccountExpiring') {
    const { workspaceId, platform, until } = event.data
    return [{ workspaceId, event: 'account.expiring', data: { accountId, platform, expiresAt: until } }]
  }
  // Events of earlier versions do not name the workspace.
  if (event?.type !== 'AccountNeedsReauth' || event.data.workspaceId === undefined) return []
  const { workspaceId, platform, reason } = event.data
  return [{ workspaceId, event: 'account.needs_reauth', data: { accountId, platform, reason } }]
}

function receivedComment(recorded: RecordedEvent): readonly PublicContent[] {
  const received = eventOf(comment, recorded)
  if (received?.type !== 'CommentReceived') return []
  const { workspaceId, replied, ...content } = received.data
  return [{ workspaceId, event: 'comment.received', data: { ...publicComment(content), replied, dismissed: false } }]
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

function sentReply(recorded: RecordedEvent): readonly PublicContent[] {
  const sent = eventOf(reply, recorded)
  if (sent?.type !== 'ReplySent') return []
  const { workspaceId, platform, accountId, commentId, text, platformReplyId, source } = sent.data
  const replyId = parseStreamName(recorded.stream).id
  const data = { replyId, platform, accountId, commentId, text, platformReplyId, source }
  return [{ workspaceId, event: 'reply.sent', data }]
}

/** The body of a delivery (api-spec §6). Built once: every attempt signs and sends these bytes. */
export function bodyOf(event: Omit<PublicEvent, 'workspaceId' | 'event'> & { readonly event: string }): string {
  const { id, event: name, createdAt, data } = event
  return JSON.stringify({ id, event: name, createdAt, data })
}
