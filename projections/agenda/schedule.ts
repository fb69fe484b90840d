import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { post } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import type { PromiseKind } from './promise.ts'

/** A scheduled post: until it is queued or canceled. Concurrency group: the workspace. */
export const schedule: PromiseKind = {
  names: (recorded) => (scheduleEvent(recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, id) => {
    const event = scheduleEvent(recorded)
    switch (event?.type) {
      case 'PostScheduled':
        return { subject: id, part: '', lane: event.data.workspaceId, dueAt: event.data.dueAt }
      case 'PostRescheduled':
        return promise && { ...promise, dueAt: event.data.dueAt }
      default:
        return undefined
    }
  },
}

function scheduleEvent(recorded: RecordedEvent): PostEvent | undefined {
  const event = eventOf(post, recorded)
  switch (event?.type) {
    case 'PostScheduled':
    case 'PostRescheduled':
    case 'ScheduleCancelled':
      return event
    case 'PostQueued':
      return event.data.origin === 'schedule' ? event : undefined
    default:
      return undefined
  }
}
