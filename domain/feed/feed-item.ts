import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'

const item = {
  /** Its feed's; absent in events of earlier versions. */
  workspaceId: z.string().optional(),
  feedId: z.string(),
  title: text(500),
  link: text(2000),
  /** Equal for items with the same title and destination, whatever id the feed gives them. */
  fingerprint: z.string(),
}

const events = {
  /** The item was in the feed when the feed was added. */
  FeedItemSeeded: z.object(item),
  FeedItemPosted: z.object({ ...item, postId: z.string() }),
  FeedItemSkipped: z.object({ ...item, reason: text(2000) }),
}

export type FeedItemEvent = EventOf<typeof events>

export type FeedItemState = { readonly status: 'new' | 'seeded' | 'posted' | 'skipped' }

const STATUS = { FeedItemSeeded: 'seeded', FeedItemPosted: 'posted', FeedItemSkipped: 'skipped' } as const

const erased = { title: ERASED, link: ERASED } satisfies ErasedFields<typeof events>['FeedItemSeeded']

/**
 * One item of one feed, identified by the feed's id and a hash of the item's identity. It is handled once: the stream holds a
 * single event, and the log rejects a second first event.
 */
export const feedItem: StreamKind<FeedItemState, FeedItemEvent> = {
  category: 'feed_item',
  events,
  // Version 2 has the workspace.
  upcasters: { FeedItemSeeded: [unchanged], FeedItemPosted: [unchanged], FeedItemSkipped: [unchanged] },
  personal: {
    key: 'workspace',
    erased: { FeedItemSeeded: erased, FeedItemPosted: erased, FeedItemSkipped: erased },
  },
  initial: { status: 'new' },
  evolve: (_state, event) => ({ status: STATUS[event.type] }),
}
