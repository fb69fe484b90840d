import type { NotificationEvent } from '../../notification/notification.ts'
import { sentenceOf } from '../../notification/topic.ts'
import { sentence } from './wording.ts'

export function describeNotification(event: NotificationEvent): string {
  switch (event.type) {
    case 'NotificationRaised':
      return sentence(`To be sent at ${event.data.dueAt}`, sentenceOf(event.data.notice))
    case 'NotificationStarted':
      return `Attempt ${event.data.attempt} to send the notification began.`
    case 'NotificationSent':
      return 'The notification was sent.'
    case 'NotificationDeferred':
      return sentence(`The notification was not sent, and is tried again at ${event.data.retryAt}`, event.data.error)
    case 'NotificationFailed':
      return sentence(
        event.data.code === 'unknown' ? 'It is unknown whether the notification was sent' : 'The notification failed',
        event.data.error,
      )
    case 'NotificationDropped':
      return 'The notification was not sent: its channel was removed.'
  }
}
