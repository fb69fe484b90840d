import { credits } from '../video/credits.ts'
import { parseStreamName, streamName, type RecordedEvent } from '../core/event.ts'
import { feed } from '../feed/rss-feed.ts'
import { workspace } from '../workspace/workspace.ts'

/** Categories whose stream id is the workspace id. */
const NAMED_BY_IT: readonly string[] = [workspace.category, credits.category]

type Recorded = Pick<RecordedEvent, 'stream' | 'data'>

/**
 * Returns a predicate for whether an event belongs to a workspace. Call it with events in log order: the stream's id or first
 * event names the workspace, and an item belongs to its feed's workspace.
 */
export function belongingTo(workspaceId: string): (event: Recorded) => boolean {
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
