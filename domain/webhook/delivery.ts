import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { DELIVERED_EVENTS } from './public-event.ts'
import { text } from '../core/text.ts'

/** One try: `statusCode` is null when there was no answer. `attempt` counts from 1 over the whole life of the delivery. */
const attempt = {
  attempt: z.int().positive(),
  statusCode: z.int().nullable(),
  durationMs: z.int().nonnegative(),
}
const failure = { ...attempt, error: text(200) }

const events = {
  /** `body` is sent byte for byte (UTF-8), in every attempt. */
  DeliveryQueued: z.object({
    workspaceId: z.string(),
    webhookId: z.string(),
    eventId: z.string(),
    event: z.enum(DELIVERED_EVENTS),
    body: text(200_000),
  }),
  /**
   * A worker has claimed an attempt that is not the first: no other one is made before it has an outcome, or is surely over. The
   * first needs no claim, as nothing that can be asked for hands it to a second worker.
   */
  DeliveryStarted: z.object({ attempt: attempt.attempt }),
  DeliverySucceeded: z.object(attempt),
  /** Tried again at `nextAttemptAt`, ISO 8601 UTC. The webhook is named again for whoever knows only what is owed. */
  DeliveryDeferred: z.object({ ...failure, webhookId: z.string(), nextAttemptAt: z.iso.datetime() }),
  /** It was the last try. */
  DeliveryFailed: z.object(failure),
  /** Somebody wants it sent once more: at once, and with all retries before it. */
  DeliveryResendRequested: z.object({ webhookId: z.string() }),
  /** Its webhook was deleted. */
  DeliveryCancelled: z.object({}),
}

export type DeliveryEvent = EventOf<typeof events>
export type DeliveryContent = Extract<DeliveryEvent, { type: 'DeliveryQueued' }>['data']

export type DeliveryState = { readonly status: 'absent' } | LiveDelivery

export interface LiveDelivery extends DeliveryContent {
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  /** ISO 8601 UTC. */
  readonly queuedAt: string
  /** Over all its life. */
  readonly attempts: number
  /** Since it was queued, or last asked for again: the retry ladder's step. */
  readonly tries: number
  /** When the next attempt is due, ISO 8601 UTC. Means nothing unless it is pending. */
  readonly dueAt: string
  /** When the attempt was claimed that has no outcome yet, ISO 8601 UTC. */
  readonly startedAt?: string
}

/** One delivery for each event and webhook, however often it is thought of. */
export function deliveryId(eventId: string, webhookId: string): string {
  return `dlv_${derivedUlid('delivery', eventId, webhookId)}`
}

export function isQueued(state: DeliveryState): state is LiveDelivery {
  return state.status !== 'absent'
}

/** One event on its way to one webhook (api-spec §3, Webhook delivery status). */
export const delivery: StreamKind<DeliveryState, DeliveryEvent> = {
  category: 'delivery',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }): DeliveryState => {
    if (event.type === 'DeliveryQueued')
      return { ...event.data, status: 'pending', queuedAt: at, attempts: 0, tries: 0, dueAt: at }
    if (!isQueued(state)) return state
    switch (event.type) {
      case 'DeliveryStarted':
        return { ...state, startedAt: at }
      case 'DeliverySucceeded':
        return { ...tried(state, event.data), status: 'delivered' }
      case 'DeliveryDeferred':
        return { ...tried(state, event.data), dueAt: event.data.nextAttemptAt }
      case 'DeliveryFailed':
        return { ...tried(state, event.data), status: 'failed' }
      case 'DeliveryResendRequested':
        return { ...state, status: 'pending', tries: 0, dueAt: at }
      case 'DeliveryCancelled':
        return { ...state, status: 'cancelled' }
    }
  },
}

function tried({ startedAt: _, ...before }: LiveDelivery, { attempt }: { readonly attempt: number }): LiveDelivery {
  return { ...before, attempts: attempt, tries: before.tries + 1 }
}
