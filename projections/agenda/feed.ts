import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { feed as kind } from '../../domain/feed/rss-feed.ts'
import type { PromiseKind } from './promise.ts'

/**
 * The next check of an active feed. Each check postpones the next; a change to the feed triggers one. Concurrency group: the
 * workspace, so that hanging servers do not hold up other workspaces' feeds.
 */
export const feed: PromiseKind = {
  names: (recorded) => (eventOf(kind, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, id) => {
    const event = eventOf(kind, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'FeedAdded':
        return { subject: id, part: '', lane: event.data.workspaceId, dueAt: at }
      case 'FeedCheckRequested':
        return promise && { ...promise, dueAt: at }
      case 'FeedChanged':
        if (event.data.active === false) return undefined
        // A paused feed stays paused until it is resumed.
        return promise || event.data.active
          ? { subject: id, part: '', lane: event.data.workspaceId, dueAt: at }
          : undefined
      case 'FeedDeleted':
        return undefined
      default:
        return promise
    }
  },
}
