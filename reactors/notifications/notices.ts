import { load, type CommandDeps } from '../../commands/handle.ts'
import { account } from '../../domain/account/account.ts'
import { isOpened, reply } from '../../domain/conversation/reply.ts'
import { eventOf, parseStreamName, type Actor, type RecordedEvent } from '../../domain/core/event.ts'
import { asText } from '../../domain/core/text.ts'
import { feed, isLive } from '../../domain/feed/rss-feed.ts'
import type { Notice } from '../../domain/notification/topic.ts'
import { post } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import type { PublishResults } from '../../domain/post/publish-result.ts'
import { credits } from '../../domain/video/credits.ts'
import { delivery, isQueued } from '../../domain/webhook/delivery.ts'
import { ofCredits, ofLimit } from './budgets.ts'

/** What somebody is notified of, and in which workspace. */
export interface Raised {
  readonly workspaceId: string
  readonly notice: Notice
  /** The user whose own channels alone get it; those of the workspace do as well. */
  readonly concerns?: string | undefined
  /** The user whose own channels do not get it. */
  readonly except?: string | undefined
}

/** Categories of the streams that it comes from. */
export const NOTICE_CATEGORIES: readonly string[] = [
  post.category,
  account.category,
  reply.category,
  feed.category,
  delivery.category,
  credits.category,
]

/** Whether an event may be something to notify of: `noticeOf` says what. */
export function mayBeNotice(recorded: RecordedEvent): boolean {
  const finished = eventOf(post, recorded)
  if (finished?.type === 'PostFinished') return finished.data.okCount < finished.data.total
  return TYPES.includes(recorded.type)
}

const TYPES = [
  'AccountNeedsReauth',
  'AccountExpiring',
  'DraftWritten',
  'ReviewRequired',
  'ApprovalRequested',
  'ApprovalDecided',
  'PostHeld',
  'FeedCheckFailed',
  'DeliveryFailed',
  'AccountLimited',
  'CreditsCharged',
]

/** What to notify of; reads the stream of an event that does not name its workspace. */
export async function noticeOf(log: CommandDeps['log'], recorded: RecordedEvent): Promise<Raised | undefined> {
  const about = parseStreamName(recorded.stream).id
  const base = { id: recorded.id, about }
  const finished = eventOf(post, recorded)
  if (finished?.type === 'PostFinished') {
    const { workspaceId, okCount, total, results } = finished.data
    const topic = okCount === 0 ? 'post.failed' : 'post.partially_failed'
    return { workspaceId, notice: { ...base, topic, okCount, total, ...firstError(results) } }
  }
  if (finished) return ofApproval(finished, recorded)
  const lost = eventOf(account, recorded)
  if (lost?.type === 'AccountNeedsReauth') {
    const { workspaceId, platform, reason } = lost.data
    const error = asText(reason, 500)
    return workspaceId === undefined
      ? undefined
      : { workspaceId, notice: { ...base, topic: 'account.needs_reauth', platform, error } }
  }
  if (lost?.type === 'AccountExpiring') {
    const { workspaceId, platform, until } = lost.data
    return { workspaceId, notice: { ...base, topic: 'account.expiring', platform, error: until } }
  }
  if (lost?.type === 'AccountLimited') return ofLimit(log, recorded, lost.data)
  const charged = eventOf(credits, recorded)
  if (charged?.type === 'CreditsCharged') return ofCredits(log, recorded, charged.data)
  if (eventOf(reply, recorded)) return toReview(log, about)
  const check = eventOf(feed, recorded)
  if (check?.type === 'FeedCheckFailed') {
    const state = await load(log, feed, about)
    const error = asText(check.data.error, 500)
    return isLive(state)
      ? { workspaceId: state.workspaceId, notice: { ...base, topic: 'feed.failing', error } }
      : undefined
  }
  const failed = eventOf(delivery, recorded)
  if (failed?.type !== 'DeliveryFailed') return undefined
  const state = await load(log, delivery, about)
  if (!isQueued(state)) return undefined
  const { workspaceId, webhookId } = state
  // All that failed of one webhook is one notice of a message.
  return {
    workspaceId,
    notice: { id: webhookId, about: webhookId, topic: 'webhook.failing', error: failed.data.error },
  }
}

function ofApproval(event: PostEvent, { id, stream, metadata }: RecordedEvent): Raised | undefined {
  const base = { id, about: parseStreamName(stream).id }
  switch (event.type) {
    case 'ApprovalRequested': {
      const { workspaceId } = event.data
      return { workspaceId, notice: { ...base, topic: 'approval.requested' }, except: metadata.actor.id }
    }
    case 'ApprovalDecided': {
      const { workspaceId, decision, comment, requestedBy, guest } = event.data
      const says = { decision, ...(guest !== undefined && { guest }), ...said(comment) }
      return { workspaceId, notice: { ...base, topic: 'approval.decided', ...says }, concerns: userIn(requestedBy) }
    }
    case 'PostHeld': {
      const { workspaceId, requestedBy } = event.data
      return { workspaceId, notice: { ...base, topic: 'post.held' }, concerns: userIn(requestedBy) }
    }
    default:
      return undefined
  }
}

function said(comment: string | undefined): Pick<Notice, 'comment'> {
  return comment === undefined ? {} : { comment: asText(comment, 500) }
}

function userIn({ kind, id }: Actor): string | undefined {
  return kind === 'user' ? id : undefined
}

/** A draft of the automation; somebody who asked for one sees it anyway. */
async function toReview(log: CommandDeps['log'], replyId: string): Promise<Raised | undefined> {
  const state = await load(log, reply, replyId)
  if (!isOpened(state) || state.source !== 'automation' || state.status !== 'pending' || state.isAutomatic)
    return undefined
  if (state.requests > 1) return undefined
  const { workspaceId, platform } = state
  return { workspaceId, notice: { id: replyId, about: replyId, topic: 'reply.to_review', platform } }
}

function firstError(results: PublishResults): Pick<Notice, 'error' | 'platform'> {
  const [failed] = Object.values(results)
    .flat()
    .flatMap((result) => (result.ok ? [] : [result]))
  return { error: asText(failed?.error ?? '', 500) }
}
