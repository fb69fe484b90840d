import { parseStreamName, streamName, type RecordedEvent } from '../../domain/core/event.ts'
import { feed } from '../../domain/feed/rss-feed.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { credits } from '../../domain/video/credits.ts'
import type { EventLog } from '../../event-log/event-log.ts'

/** What changed in one workspace, up to a log position. */
export interface Change {
  readonly workspaceId: string
  readonly position: bigint
  /** Categories of the changed streams. */
  readonly kinds: readonly string[]
  /** Ids of the changed resources; empty when there are too many to refresh one by one. */
  readonly ids: readonly string[]
}

const MOST_IDS = 100
/** How many streams to cache the workspace of. The oldest entry is evicted first. */
const REMEMBERED = 20_000

/** Groups events by workspace. The first event of a stream names its workspace; most others do not. */
export function createSorter(log: Pick<EventLog, 'read'>) {
  const owners = new Map<string, string>()

  const remember = (stream: string, workspaceId: string) => {
    if (owners.size >= REMEMBERED) owners.delete(owners.keys().next().value ?? '')
    owners.set(stream, workspaceId)
    return workspaceId
  }
  const ownerOf = async (stream: string): Promise<string | undefined> => {
    const known = owners.get(stream)
    if (known !== undefined) return known
    const [first] = await log.read(stream)
    const owner = first && ownerIn(first)
    return owner === undefined ? undefined : remember(stream, owner)
  }
  const workspaceOf = async (event: RecordedEvent): Promise<string | undefined> => {
    const owner = ownerIn(event)
    if (owner !== undefined) return event.revision === 0 ? remember(event.stream, owner) : owner
    const { feedId } = event.data as { readonly feedId?: string }
    return ownerOf(feedId === undefined ? event.stream : streamName(feed, feedId))
  }

  return async (events: readonly RecordedEvent[]): Promise<readonly Change[]> => {
    const byWorkspace = new Map<string, RecordedEvent[]>()
    for (const event of events) {
      const workspaceId = await workspaceOf(event)
      if (workspaceId !== undefined) byWorkspace.set(workspaceId, [...(byWorkspace.get(workspaceId) ?? []), event])
    }
    const position = events.at(-1)?.position ?? -1n
    return [...byWorkspace].map(([workspaceId, own]) => changeOf(workspaceId, position, own))
  }
}

/** The workspace of an event, if the event itself names it. */
function ownerIn({ stream, data }: RecordedEvent): string | undefined {
  const { category, id } = parseStreamName(stream)
  if (category === workspace.category || category === credits.category) return id
  const { workspaceId } = data as { readonly workspaceId?: unknown }
  return typeof workspaceId === 'string' ? workspaceId : undefined
}

function changeOf(workspaceId: string, position: bigint, events: readonly RecordedEvent[]): Change {
  const streams = [...new Set(events.map(({ stream }) => stream))].map(parseStreamName)
  return {
    workspaceId,
    position,
    kinds: [...new Set(streams.map(({ category }) => category))],
    ids: streams.length > MOST_IDS ? [] : streams.map(({ id }) => id),
  }
}
