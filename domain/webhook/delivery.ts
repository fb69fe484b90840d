import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { commentStreamId } from '../conversation/comment.ts'
import { DELIVERED_EVENTS } from './public-event.ts'
import { ERASED, personalDataErased, type ErasedFields, type Subject } from '../core/personal-data.ts'
import { text } from '../core/text.ts'

/** One attempt. `statusCode` is null when there was no response. `attempt` counts from 1 over the delivery's whole life. */
const attempt = {
  attempt: z.int().positive(),
  statusCode: z.int().nullable(),
  durationMs: z.int().nonnegative(),
}
const failure = { ...attempt, error: text(200) }

const events = {
  /** `body` is sent byte for byte (UTF-8) in every attempt. */
  DeliveryQueued: z.object({
    workspaceId: z.string(),
    webhookId: z.string(),
    eventId: z.string(),
    event: z.enum(DELIVERED_EVENTS),
    body: text(200_000),
  }),
  /**
   * A worker claimed an attempt after the first: no other attempt is made until it has an outcome or is certainly over. The
   * first attempt needs no claim, because nothing a user can request gives it to a second worker.
   */
  DeliveryStarted: z.object({ attempt: attempt.attempt }),
  DeliverySucceeded: z.object(attempt),
  /** Retried at `nextAttemptAt`, ISO 8601 UTC. Repeats the webhook for readers that know only the due work. */
  DeliveryDeferred: z.object({ ...failure, webhookId: z.string(), nextAttemptAt: z.iso.datetime() }),
  /** The last attempt failed. */
  DeliveryFailed: z.object(failure),
  /** A user asked to send it again: immediately, and with the full retry ladder. */
  DeliveryResendRequested: z.object({ webhookId: z.string() }),
  /** Its webhook was deleted. */
  DeliveryCancelled: z.object({}),
  PersonalDataErased: personalDataErased,
}

export type DeliveryEvent = EventOf<typeof events>
export type DeliveryContent = Extract<DeliveryEvent, { type: 'DeliveryQueued' }>['data']

export type DeliveryState = { readonly status: 'absent' } | LiveDelivery

export interface LiveDelivery extends DeliveryContent {
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  /** ISO 8601 UTC. */
  readonly queuedAt: string
  /** Over its whole life. */
  readonly attempts: number
  /** Since it was queued or last requested again: the step of the retry ladder. */
  readonly tries: number
  /** When the next attempt is due, ISO 8601 UTC. Meaningful only while pending. */
  readonly dueAt: string
  /** When the attempt without an outcome yet was claimed, ISO 8601 UTC. */
  readonly startedAt?: string
}

/** One delivery per event and webhook, however often it is derived. */
export function deliveryId(eventId: string, webhookId: string): string {
  return `dlv_${derivedUlid('delivery', eventId, webhookId)}`
}

export function isQueued(state: DeliveryState): state is LiveDelivery {
  return state.status !== 'absent'
}

/** One event to deliver to one webhook (api-spec §3, Webhook delivery status). */
export const delivery: StreamKind<DeliveryState, DeliveryEvent> = {
  category: 'delivery',
  events,
  // Version 2 may be of the events beside those of api-spec §6, version 3 of those of approvals.
  upcasters: { DeliveryQueued: [unchanged, unchanged] },
  personal: {
    erased: { DeliveryQueued: { body: ERASED } } satisfies ErasedFields<typeof events>,
    begins: 'DeliveryQueued',
    subjectOf: (begin) => subjectOf(begin as DeliveryContent),
  },
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
      case 'PersonalDataErased':
        return { ...state, body: ERASED, status: state.status === 'pending' ? 'failed' : state.status }
    }
  },
}

/** Only events about a comment hold personal data: those about a post have ids and links. */
function subjectOf({ workspaceId, event, body }: DeliveryContent): Subject | undefined {
  if (body === ERASED || (event !== 'comment.received' && event !== 'reply.sent')) return undefined
  const about = bodySchema.safeParse(parsed(body)).data?.data
  if (!about) return { workspaceId }
  const { accountId, id = '', commentId = id } = about
  return { workspaceId, accountId, commentId: commentStreamId(accountId, commentId) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const bodySchema = z.object({
  data: z.object({ accountId: z.string(), id: z.string().optional(), commentId: z.string().optional() }),
})

function tried({ startedAt: _, ...before }: LiveDelivery, { attempt }: { readonly attempt: number }): LiveDelivery {
  return { ...before, attempts: attempt, tries: before.tries + 1 }
}
