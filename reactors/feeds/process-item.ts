import { Refusal } from '../../domain/core/errors.ts'
import { feedItem, type FeedItemEvent } from '../../domain/feed/feed-item.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { post } from '../../domain/post/post.ts'
import { feed, isLive, type LiveFeed } from '../../domain/feed/rss-feed.ts'
import { asText } from '../../domain/core/text.ts'
import { handle, load, type Cause, type CommandDeps } from '../../commands/handle.ts'
import { queuePost, type QueuePost } from '../../commands/queue-post.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { SeenItem } from './feed-items.ts'

/**
 * Records an item that the read model does not know. The read model may lag behind, so the log decides whether the item is new.
 * Since the document was requested, the owner may have changed the feed, or a concurrent check may have been the first.
 *
 * @param verdict.isFirst whether all items in the feed count as known
 * @param verdict.noNews why the item is not posted although it is new to us
 * @returns whether to continue posting from the feed
 */
export async function processItem(
  deps: CommandDeps,
  feedId: string,
  item: SeenItem,
  verdict: { readonly isFirst: boolean; readonly noNews: string | undefined },
): Promise<boolean> {
  const state = await load(deps.log, feed, feedId)
  if (!isLive(state) || state.status === 'paused') return false
  // The verdict predates the result of the first check.
  if (verdict.isFirst && state.seeded) return false
  if ((await load(deps.log, feedItem, item.id)).status !== 'new') return true
  const event = await eventFor(deps, feedId, state, item, verdict.noNews)
  const cause = causedBy(feedId, derivedId('feed-item', item.id))
  await handle(deps, feedItem, item.id, cause, ({ status }) => (status === 'new' ? [event] : []))
  return true
}

async function eventFor(
  deps: CommandDeps,
  feedId: string,
  state: LiveFeed,
  item: SeenItem,
  noNews: string | undefined,
): Promise<FeedItemEvent> {
  const { title, link, fingerprint, imageUrl } = item
  const { workspaceId } = state
  const data = { workspaceId, feedId, title: asText(title, 500), link: asText(link, 2_000), fingerprint }
  const skipped = (reason: string) => ({ type: 'FeedItemSkipped', data: { ...data, reason } }) as const
  if (!state.seeded) return { type: 'FeedItemSeeded', data }
  if (noNews !== undefined) return skipped(noNews)
  if (imageUrl === undefined) return skipped(NO_IMAGE)
  try {
    return { type: 'FeedItemPosted', data: { ...data, postId: await queued(deps, feedId, state, item, imageUrl) } }
  } catch (error) {
    // E.g. the caption is too long for a post.
    if (error instanceof Refusal) return skipped(asText(error.message, 2_000))
    throw error
  }
}

const NO_IMAGE = 'The item has no image: no enclosure, no Media RSS and no image in its text.'

/** @throws Refusal when the post is invalid */
async function queued(
  deps: CommandDeps,
  feedId: string,
  { workspaceId, selections, captionTemplate, platformOptions, accountOptions }: LiveFeed,
  item: SeenItem,
  mediaUrl: string,
): Promise<string> {
  const postId = resourceId('post', derivedUlid('feed-item', item.id))
  const caption = captionOf(captionTemplate, item)
  const command: QueuePost = {
    ...{ workspaceId, origin: 'rss', mediaUrl, mediaType: 'image', selections },
    ...{ caption, captionOverrides: {}, hashtags: [], platformOptions, accountOptions },
  }
  const cause = causedBy(feedId, derivedId('feed-item-post', item.id))
  await handle(deps, post, postId, cause, (state) => queuePost(state, command))
  return postId
}

/** Replaces in a single pass: a `{link}` within a title stays as it is. */
export function captionOf(template: string, { title, link }: Pick<SeenItem, 'title' | 'link'>): string {
  return template.replaceAll(/\{(title|link)\}/g, (_, name: string) => (name === 'title' ? title : link))
}

export function causedBy(feedId: string, commandId: string): Cause {
  return { commandId, actor: { kind: 'reactor', id: 'feed' }, correlationId: feedId }
}
