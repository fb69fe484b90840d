import type { FeedItemEvent } from '../../feed/feed-item.ts'
import { quoted, sentence } from './wording.ts'

export function describeFeedItem(event: FeedItemEvent): string {
  const item = `The item ${quoted(event.data.title)}`
  switch (event.type) {
    case 'FeedItemSeeded':
      return sentence(`${item} was already in the feed and was not posted`, event.data.link)
    case 'FeedItemPosted':
      return sentence(`${item} was queued as post ${event.data.postId}`, event.data.link)
    case 'FeedItemSkipped':
      return sentence(`${item} was skipped`, event.data.reason)
  }
}
