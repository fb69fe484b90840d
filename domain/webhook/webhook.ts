import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { PUBLIC_EVENTS } from './public-event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'

const registered = { workspaceId: z.string(), url: text(2000), events: z.array(z.enum(PUBLIC_EVENTS)) }
const live = z.object({
  status: z.literal('active'),
  ...registered,
  /** All times are ISO 8601 UTC. */
  registeredAt: z.iso.datetime(),
  /** How often its secret was rotated. */
  rotations: z.int().nonnegative(),
  previousUntil: z.iso.datetime().optional(),
})
export type LiveWebhook = Readonly<z.infer<typeof live>>

const events = {
  WebhookRegistered: z.object(registered),
  /** The previous secret also signs until `previousUntil`, ISO 8601 UTC. The secrets themselves are in the vault. */
  WebhookSecretRotated: z.object({ previousUntil: z.iso.datetime() }),
  WebhookSummarized: live,
  WebhookDeleted: z.object({}),
}

export type WebhookEvent = EventOf<typeof events>

export type WebhookState = { readonly status: 'absent' | 'deleted' } | LiveWebhook

/** Returns why nothing can be delivered to a URL and what to do about it, in plain words; undefined when it can. */
export type RefuseAddress = (url: string) => Promise<string | undefined>

export function isActive(state: WebhookState): state is LiveWebhook {
  return state.status === 'active'
}

/** A user's URL that receives events (api-spec §6). Deliveries have their own streams (`delivery.ts`). */
export const webhook: StreamKind<WebhookState, WebhookEvent> = {
  category: 'webhook',
  events,
  // Version 2 may have the events beside those of api-spec §6, version 3 those of approvals.
  upcasters: { WebhookRegistered: [unchanged, unchanged], WebhookSummarized: [unchanged, unchanged] },
  personal: {
    key: 'workspace',
    erased: { WebhookRegistered: { url: ERASED }, WebhookSummarized: { url: ERASED } } satisfies ErasedFields<
      typeof events
    >,
  },
  closedBy: 'WebhookSummarized',
  close: (state) => (isActive(state) ? { type: 'WebhookSummarized', data: state } : undefined),
  initial: { status: 'absent' },
  evolve: (state, event, { at }): WebhookState => {
    if (event.type === 'WebhookSummarized') return event.data
    if (event.type === 'WebhookRegistered') return { ...event.data, status: 'active', registeredAt: at, rotations: 0 }
    if (!isActive(state)) return state
    if (event.type === 'WebhookDeleted') return { status: 'deleted' }
    return { ...state, rotations: state.rotations + 1, previousUntil: event.data.previousUntil }
  },
}
