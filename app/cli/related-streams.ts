import { comment, commentStreamId } from '../../domain/conversation/comment.ts'
import { account } from '../../domain/account/account.ts'
import { streamName, type RecordedEvent } from '../../domain/core/event.ts'
import { feed } from '../../domain/feed/rss-feed.ts'
import { feedItem } from '../../domain/feed/feed-item.ts'
import { post } from '../../domain/post/post.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import { member, memberIdOf } from '../../domain/workspace/member.ts'
import { user } from '../../domain/workspace/user.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import type { EventLog } from '../../event-log/event-log.ts'

/** Events that say where a resource comes from. */
export interface Related {
  /** Streams of which all events are related. */
  readonly whole: ReadonlySet<string>
  /** Single events, as `stream@revision`. */
  readonly single: ReadonlySet<string>
}

const BEGINNINGS = ['ApiKeyCreated', 'UserCreated', 'MemberJoined', 'AccountConnected', 'FeedAdded']

type Fields = Readonly<Record<string, unknown>>

/**
 * What a resource's own events only refer to: the API keys and users who acted, the accounts it was published on, the comment that
 * a reply is about, the feed item or the turn of a recycling rule that a post was made from, the recycled post, and the erasure of
 * the workspace.
 */
export async function relatedTo(
  log: Pick<EventLog, 'read'>,
  id: string,
  own: readonly RecordedEvent[],
): Promise<Related> {
  const whole = new Set<string>()
  const single = new Set<string>()
  const include = async (stream: string, isIt: (event: RecordedEvent) => boolean) => {
    const found = (await log.read(stream)).filter(isIt)
    for (const event of found) single.add(`${stream}@${event.revision}`)
    return found
  }
  const beginnings = new Set<string>()
  const workspaceIds = new Set(own.map(({ data }) => (data as Fields)['workspaceId']))
  const actorsOf = (events: readonly RecordedEvent[]) => {
    for (const { metadata } of events) {
      const { kind, id } = metadata.actor
      if (kind === 'api-key') beginnings.add(streamName(apiKey, id))
      if (kind !== 'user') continue
      beginnings.add(streamName(user, id))
      for (const workspaceId of workspaceIds) {
        if (typeof workspaceId === 'string') beginnings.add(streamName(member, memberIdOf(id, workspaceId)))
      }
    }
  }
  actorsOf(own)

  for (const { data, metadata } of own) {
    const { accountId, commentId }: Fields = data as Fields
    if (typeof accountId === 'string') beginnings.add(streamName(account, accountId))
    if (typeof accountId === 'string' && typeof commentId === 'string') {
      whole.add(streamName(comment, commentStreamId(accountId, commentId)))
    }
    const { correlationId } = metadata
    const [prefix] = correlationId.split('_', 1)
    if (prefix === 'feed') beginnings.add(streamName(feed, correlationId))
    if (prefix === 'rule') {
      const rule = streamName(recyclingRule, correlationId)
      const [added, ...turn] = await include(
        rule,
        ({ revision, data }) => revision === 0 || (data as Fields)['postId'] === id,
      )
      if (!added) continue
      actorsOf([added, ...turn])
      const { sourcePostId } = added.data as { readonly sourcePostId?: string }
      const source = streamName(post, sourcePostId ?? '')
      actorsOf(await include(source, ({ type }) => type === 'PostScheduled' || type === 'PostQueued'))
    }
  }
  for (const stream of beginnings) {
    // The name of a removed user may be used again, in another workspace.
    await include(
      stream,
      ({ type, data }) => BEGINNINGS.includes(type) && workspaceIds.has((data as Fields)['workspaceId']),
    )
  }
  for (const id of workspaceIds) {
    if (typeof id === 'string') await include(streamName(workspace, id), ({ type }) => type === 'WorkspaceErased')
  }
  return { whole, single }
}

/** Whether an event records that a feed item became this post: the id of its stream is known to the feed only. */
export function isItemOf(id: string, { stream, data }: { readonly stream: string; readonly data: object }): boolean {
  return stream.startsWith(`${feedItem.category}-`) && (data as Fields)['postId'] === id
}
