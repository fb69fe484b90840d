import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { notification } from '../../domain/notification/notification.ts'
import type { PromiseKind } from './promise.ts'

/** Messages to send. A claim keeps the row: after a crash, somebody has to record that the outcome is unknown. */
export const notify: PromiseKind = {
  names: (recorded) => (eventOf(notification, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (promise, recorded, subject) => {
    const event = eventOf(notification, recorded)
    switch (event?.type) {
      case 'NotificationRaised': {
        const { workspaceId, dueAt } = event.data
        return { subject, part: '', lane: workspaceId, dueAt }
      }
      case 'NotificationDeferred':
        return promise && { ...promise, dueAt: event.data.retryAt }
      case 'NotificationSent':
      case 'NotificationFailed':
        return event.data.nextAt === undefined ? undefined : promise && { ...promise, dueAt: event.data.nextAt }
      case 'NotificationDropped':
        return undefined
      case 'NotificationStarted':
      case undefined:
        return promise
    }
  },
}
