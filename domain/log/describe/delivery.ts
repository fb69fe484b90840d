import type { DeliveryEvent } from '../../webhook/delivery.ts'
import { sentence } from './wording.ts'

export function describeDelivery(event: DeliveryEvent): string {
  switch (event.type) {
    case 'DeliveryQueued': {
      const { event: name, eventId, webhookId } = event.data
      return sentence(`Queued ${name} (${eventId}) for webhook ${webhookId}`)
    }
    case 'DeliveryStarted':
      return sentence(`Started delivering (attempt ${event.data.attempt})`)
    case 'DeliverySucceeded': {
      const { statusCode } = event.data
      return sentence(`Delivered (${tried(event.data)})`, statusCode === null ? '' : `HTTP ${statusCode}`)
    }
    case 'DeliveryDeferred': {
      const { nextAttemptAt, error } = event.data
      return sentence(`Delivery (${tried(event.data)}) failed and will be retried at ${nextAttemptAt}`, error)
    }
    case 'DeliveryFailed':
      return sentence(`Delivery (${tried(event.data)}) failed, with no retries left`, event.data.error)
    case 'DeliveryResendRequested':
      return sentence(`Another delivery to webhook ${event.data.webhookId} was requested`)
    case 'DeliveryCancelled':
      return 'Cancelled because the webhook was deleted.'
    case 'PersonalDataErased':
      return 'Its content was erased.'
  }
}

function tried({ attempt, durationMs }: { readonly attempt: number; readonly durationMs: number }): string {
  return `attempt ${attempt}, ${durationMs} ms`
}
