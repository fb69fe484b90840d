import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { PUBLIC_EVENTS } from './public-event.ts'
import { text } from '../core/text.ts'

const events = {
  WebhookRegistered: z.object({ workspaceId: z.string(), url: text(2000), events: z.array(z.enum(PUBLIC_EVENTS)) }),
  /** The previous secret also signs until `previousUntil`, ISO 8601 UTC. The secrets themselves are in the vault. */
  WebhookSecretRotated: z.object({ previousUntil: z.iso.datetime() }),
  WebhookDeleted: z.object({}),
}

export type WebhookEvent = EventOf<typeof events>

export type WebhookState = { readonly status: 'absent' | 'deleted' } | LiveWebhook

export interface LiveWebhook {
  readonly status: 'active'
  readonly workspaceId: string
  readonly url: string
  readonly events: readonly (typeof PUBLIC_EVENTS)[number][]
  readonly registeredAt: string
  /** How often its secret was rotated. */
  readonly rotations: number
  readonly previousUntil?: string
}

/** Returns why nothing can be delivered to a URL and what to do about it, in plain words; undefined when it can. */
export type RefuseAddress = (url: string) => Promise<string | undefined>

export function isActive(state: WebhookState): state is LiveWebhook {
  return state.status === 'active'
}

/** A user's URL that receives events (api-spec §6). Deliveries have their own streams (`delivery.ts`). */
export const webhook: StreamKind<WebhookState, WebhookEvent> = {
  category: 'webhook',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }): WebhookState => {
    if (event.type === 'WebhookRegistered') return { ...event.data, status: 'active', registeredAt: at, rotations: 0 }
    if (!isActive(state)) return state
    if (event.type === 'WebhookDeleted') return { status: 'deleted' }
    return { ...state, rotations: state.rotations + 1, previousUntil: event.data.previousUntil }
  },
}
