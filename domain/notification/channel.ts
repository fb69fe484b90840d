import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'
import { TOPICS } from './topic.ts'

/** Those that a workspace can share. */
export const SHARED_KINDS = ['email', 'slack', 'discord', 'telegram', 'ntfy'] as const
/** `push`: a browser, which belongs to a user. */
export const CHANNEL_KINDS = [...SHARED_KINDS, 'push'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** `22:00`, in the zone of the channel. */
const timeOfDay = z.string()

const settings = {
  label: text(100),
  topics: z.array(z.enum(TOPICS)),
  /** The IANA zone of the times below. */
  timezone: text(100),
  /** Nothing is sent from `from` until `to`, but afterwards, in one message. */
  quietHours: z.object({ from: timeOfDay, to: timeOfDay }).nullable(),
  /** Everything is sent once a day, at this time. */
  digestAt: timeOfDay.nullable(),
}
export const channelSettings = z.object(settings)
export type ChannelSettings = Readonly<z.infer<typeof channelSettings>>

const events = {
  /**
   * The secret part of the address is in the vault, under the channel's id. `address` is what is shown of it. A channel with a
   * `userId` is that user's own.
   */
  ChannelAdded: z.object({
    workspaceId: z.string(),
    userId: z.string().optional(),
    kind: z.enum(CHANNEL_KINDS),
    address: text(320),
    /** Whether somebody who reads what is sent there has to confirm the address first. */
    needsConfirmation: z.boolean(),
    ...settings,
  }),
  ChannelConfirmed: z.object({}),
  ChannelChanged: channelSettings,
  /** `unsubscribed`: by the link in a message. `user_removed`: its user was, from the workspace. `gone`: the browser takes no more messages. */
  ChannelRemoved: z.object({ reason: z.enum(['requested', 'unsubscribed', 'user_removed', 'gone']) }),
}

export type ChannelEvent = EventOf<typeof events>

export interface LiveChannel extends ChannelSettings {
  readonly status: 'unconfirmed' | 'active'
  readonly workspaceId: string
  readonly userId?: string | undefined
  readonly kind: ChannelKind
  readonly address: string
  /** ISO 8601 UTC. */
  readonly addedAt: string
}
export type ChannelState = { readonly status: 'absent' | 'removed' } | LiveChannel

export function isLiveChannel(state: ChannelState): state is LiveChannel {
  return state.status === 'unconfirmed' || state.status === 'active'
}

/** Where people are notified. What is sent there has its own streams (`notification.ts`). */
export const channel: StreamKind<ChannelState, ChannelEvent> = {
  category: 'channel',
  events,
  // Version 2 may have the topics of approvals, version 3 that of budgets. Browsers came with the last version of two.
  upcasters: {
    ChannelAdded: [unchanged, unchanged],
    ChannelChanged: [unchanged, unchanged],
    ChannelRemoved: [unchanged],
  },
  personal: {
    key: 'workspace',
    erased: {
      ChannelAdded: { address: ERASED, label: ERASED },
      ChannelChanged: { label: ERASED },
    } satisfies ErasedFields<typeof events>,
  },
  initial: { status: 'absent' },
  evolve: (state, event, { at }): ChannelState => {
    if (event.type === 'ChannelAdded') {
      const { needsConfirmation, ...added } = event.data
      return { ...added, status: needsConfirmation ? 'unconfirmed' : 'active', addedAt: at }
    }
    if (!isLiveChannel(state)) return state
    switch (event.type) {
      case 'ChannelConfirmed':
        return { ...state, status: 'active' }
      case 'ChannelChanged': {
        const { workspaceId, userId, kind, address, status, addedAt } = state
        return { workspaceId, userId, kind, address, status, addedAt, ...event.data }
      }
      case 'ChannelRemoved':
        return { status: 'removed' }
    }
  },
}
