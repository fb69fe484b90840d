import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { feed as kind } from '../../domain/feed/rss-feed.ts'
import type { PromiseKind } from './promise.ts'

/**
 * The next check of a feed that is not paused. Each check puts the next one off; whatever changes the feed has it checked. One
 * lane for each workspace: servers that hang hold up no other's feeds.
 */
export const feed: PromiseKind = {
  names: (recorded) => (eventOf(kind, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, id) => {
    const event = eventOf(kind, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'FeedAdded':
        return { subject: id, part: '', lane: event.data.workspaceId, due_at: at }
      case 'FeedCheckRequested':
        return promise && { ...promise, due_at: at }
      case 'FeedChanged':
        if (event.data.active === false) return undefined
        // One that is paused stays so until it is set going.
        return promise || event.data.active
          ? { subject: id, part: '', lane: event.data.workspaceId, due_at: at }
          : undefined
      case 'FeedDeleted':
        return undefined
      default:
        return promise
    }
  },
}
