import { credits } from '../video/credits.ts'
import { parseStreamName, streamName, type RecordedEvent } from '../core/event.ts'
import { feedItem } from '../feed/feed-item.ts'
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
  return (event) => {
    const { stream } = event
    if (own.has(stream)) return true
    const named = workspaceNamedBy(event)
    const isOwn = named === undefined ? own.has(ownerOf(event)) : named === workspaceId
    if (isOwn) own.add(stream)
    return isOwn
  }
}

/** The workspace that an event names itself; undefined if only the first event of its `ownerOf` does. */
export function workspaceNamedBy({ stream, data }: Recorded): string | undefined {
  const { category, id } = parseStreamName(stream)
  if (NAMED_BY_IT.includes(category)) return id
  const { workspaceId }: { workspaceId?: unknown } = data
  return typeof workspaceId === 'string' ? workspaceId : undefined
}

/** The stream that belongs to the same workspace as an event that does not name it: its own, or that of an item's feed. */
export function ownerOf({ stream, data }: Recorded): string {
  const { feedId }: { feedId?: unknown } = data
  return typeof feedId === 'string' && stream.startsWith(`${feedItem.category}-`) ? streamName(feed, feedId) : stream
}
