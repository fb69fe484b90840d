import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { post } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import type { Promised, PromiseKind } from './promise.ts'

/**
 * A scheduled post: until it is queued, canceled or held. One without a time of its own is not due before it is approved.
 * Concurrency group: the workspace.
 */
export const schedule: PromiseKind = {
  names: (recorded) => (scheduleEvent(recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, id) => {
    const event = scheduleEvent(recorded)
    switch (event?.type) {
      case 'PostScheduled':
        return planned(id, event.data)
      case 'ApprovalRequested':
        return event.data.publishes === 'at_time' ? planned(id, event.data) : undefined
      case 'ApprovalDecided':
        return event.data.decision === 'approved' ? planned(id, event.data) : promise
      case 'PostRescheduled':
        return promise && { ...promise, dueAt: event.data.dueAt }
      default:
        return undefined
    }
  },
}

function planned(
  id: string,
  { workspaceId, dueAt }: { readonly workspaceId: string; readonly dueAt: string },
): Promised {
  return { subject: id, part: '', lane: workspaceId, dueAt }
}

function scheduleEvent(recorded: RecordedEvent): PostEvent | undefined {
  const event = eventOf(post, recorded)
  switch (event?.type) {
    case 'PostScheduled':
    case 'PostRescheduled':
    case 'ScheduleCancelled':
    case 'ApprovalRequested':
    case 'ApprovalDecided':
    case 'PostHeld':
      return event
    case 'PostQueued':
      return event.data.origin === 'schedule' ? event : undefined
    default:
      return undefined
  }
}
