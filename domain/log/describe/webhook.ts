import type { WebhookEvent } from '../../webhook/webhook.ts'
import { sentence, SUMMARIZED } from './wording.ts'

export function describeWebhook(event: WebhookEvent): string {
  switch (event.type) {
    case 'WebhookSummarized':
      return SUMMARIZED
    case 'WebhookRegistered': {
      const { events, url } = event.data
      return sentence(`The webhook was registered for ${events.length === 0 ? 'no events' : events.join(', ')}`, url)
    }
    case 'WebhookSecretRotated':
      return sentence(`The secret was rotated, and the previous one stays valid until ${event.data.previousUntil}`)
    case 'WebhookDeleted':
      return 'The webhook was deleted.'
  }
}
