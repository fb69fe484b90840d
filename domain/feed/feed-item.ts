import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { text } from '../core/text.ts'

const item = {
  feedId: z.string(),
  title: text(500),
  link: text(2000),
  /** The same for what has the same title and leads to the same place, whatever the feed calls it. */
  fingerprint: z.string(),
}

const events = {
  /** It was there when the feed was added. */
  FeedItemSeeded: z.object(item),
  FeedItemPosted: z.object({ ...item, postId: z.string() }),
  FeedItemSkipped: z.object({ ...item, reason: text(2000) }),
}

export type FeedItemEvent = EventOf<typeof events>

export type FeedItemState = { readonly status: 'new' | 'seeded' | 'posted' | 'skipped' }

const STATUS = { FeedItemSeeded: 'seeded', FeedItemPosted: 'posted', FeedItemSkipped: 'skipped' } as const

/**
 * One item of one feed, by the feed's id and a hash of the item's identity. It is met once: a stream has one event, and the
 * log takes no second first one.
 */
export const feedItem: StreamKind<FeedItemState, FeedItemEvent> = {
  category: 'feed_item',
  events,
  initial: { status: 'new' },
  evolve: (_state, event) => ({ status: STATUS[event.type] }),
}
