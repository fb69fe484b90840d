import { delivery, type DeliveryEvent } from '../../domain/webhook/delivery.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import type { Promised, PromiseKind } from './promise.ts'

/** Deliveries that are new, or requested again. */
export const deliver: PromiseKind = promisedBy((event, at) => {
  switch (event.type) {
    case 'DeliveryQueued':
    case 'DeliveryResendRequested':
      return { lane: event.data.webhookId, dueAt: at }
    default:
      return undefined
  }
})

/** Retries after a failure. They have their own worker slots, so that they never delay new deliveries. */
export const redeliver: PromiseKind = promisedBy((event) => {
  if (event.type !== 'DeliveryDeferred') return undefined
  return { lane: event.data.webhookId, dueAt: event.data.nextAttemptAt }
})

/** Each event of a delivery replaces the row, except a claim: the worker that made it keeps the row. */
function promisedBy(
  dueOf: (event: DeliveryEvent, at: string) => Pick<Promised, 'lane' | 'dueAt'> | undefined,
): PromiseKind {
  return {
    names: (recorded: RecordedEvent) => (eventOf(delivery, recorded) ? [parseStreamName(recorded.stream).id] : []),
    apply: (promise, recorded, subject) => {
      const event = eventOf(delivery, recorded)
      if (!event || event.type === 'DeliveryStarted') return promise
      const due = dueOf(event, recorded.metadata.at)
      return due && { subject, part: '', ...due }
    },
  }
}
