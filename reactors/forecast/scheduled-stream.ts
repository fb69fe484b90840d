import type { NewEvent } from '../../domain/core/event.ts'
import type { Approval, PostVersion } from '../../domain/post/approval.ts'
import type { PinnedMedia, PostEvent } from '../../domain/post/post-events.ts'

interface Scheduled extends PostVersion {
  readonly id: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly approval?: Approval | null
  readonly pinned?: readonly PinnedMedia[]
}

/** The stream of a scheduled post, as short as it can be: reading each real one would take far longer than the forecast. */
export function scheduledStream({
  id,
  createdAt: at,
  content,
  due,
  approval,
  pinned = [],
}: Scheduled): readonly NewEvent[] {
  const { workspaceId } = content
  const events: PostEvent[] = [{ type: 'PostScheduled', data: { ...content, ...due } }]
  if (approval && approval.status !== 'approved') {
    const { publishes } = approval
    events.push({ type: 'ApprovalRequested', data: { workspaceId, dueAt: due.dueAt, publishes } })
  }
  if (pinned.length > 0) events.push({ type: 'PostMediaPinned', data: { media: [...pinned] } })
  const metadata = { at, actor: { kind: 'reactor', id: 'forecast' }, correlationId: id, causationId: id } as const
  return events.map((event, index) => ({ ...event, id: `${id} ${index}`, metadata }))
}
