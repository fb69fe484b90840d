import { credits } from '../video/credits.ts'
import { parseStreamName, streamName, type RecordedEvent } from '../core/event.ts'
import { feed } from '../feed/rss-feed.ts'
import { workspace } from '../workspace/workspace.ts'

/** Streams that are named by their workspace. */
const NAMED_BY_IT: readonly string[] = [workspace.category, credits.category]

type Told = Pick<RecordedEvent, 'stream' | 'data'>

/**
 * Tells of events, shown in the order of the log, whether they are a workspace's: a stream is the one's that it names,
 * in its own name or in its first event, and an item is its feed's.
 */
export function belongingTo(workspaceId: string): (event: Told) => boolean {
  const own = new Set<string>()
  return ({ stream, data }) => {
    if (own.has(stream)) return true
    const { category, id } = parseStreamName(stream)
    const { workspaceId: named, feedId }: { workspaceId?: unknown; feedId?: unknown } = data
    const isOwn = NAMED_BY_IT.includes(category)
      ? id === workspaceId
      : named === workspaceId || (typeof feedId === 'string' && own.has(streamName(feed, feedId)))
    if (isOwn) own.add(stream)
    return isOwn
  }
}
