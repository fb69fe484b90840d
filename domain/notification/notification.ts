import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'
import { notice, type Notice } from './topic.ts'

/** Notices in one message. */
export const MOST_NOTICES = 20

const attempt = { attempt: z.int().positive() }
const error = text(500)

const events = {
  /** `isFull`: the message has as many notices as fit, so this one is only counted among the others. */
  NotificationRaised: z.object({
    workspaceId: z.string(),
    channelId: z.string(),
    notice,
    isFull: z.boolean(),
    /** When the message is sent, ISO 8601 UTC. */
    dueAt: z.iso.datetime(),
  }),
  /** From here on the message may have been sent. */
  NotificationStarted: z.object(attempt),
  /** `nextAt`: when what was raised meanwhile is sent, ISO 8601 UTC. */
  NotificationSent: z.object({ ...attempt, nextAt: z.iso.datetime().optional() }),
  /** It was certainly not sent, and is tried again at `retryAt`, ISO 8601 UTC. */
  NotificationDeferred: z.object({ ...attempt, error, retryAt: z.iso.datetime() }),
  /** `unknown`: it may have been sent, so it is not sent again. */
  NotificationFailed: z.object({
    ...attempt,
    error,
    code: z.enum(['permanent', 'gave_up', 'unknown']),
    nextAt: z.iso.datetime().optional(),
  }),
  /** The channel was removed before it was sent. */
  NotificationDropped: z.object({}),
}

export type NotificationEvent = EventOf<typeof events>

export interface LiveNotification {
  readonly status: 'waiting' | 'sending' | 'settled'
  readonly workspaceId: string
  readonly channelId: string
  /** What is to be sent, or being sent. */
  readonly notices: readonly Notice[]
  /** Whether there are more than fit. */
  readonly hasMore: boolean
  /** Raised while a message was being sent: for the next one. */
  readonly later: readonly Notice[]
  /** Ids of all that was ever raised. */
  readonly known: readonly string[]
  /** When it is sent, ISO 8601 UTC; for what was raised meanwhile if it is being sent. Meaningless once settled. */
  readonly dueAt: string
  /** Attempts for the current message. */
  readonly attempts: number
  /** When the current attempt began, ISO 8601 UTC. */
  readonly startedAt?: string | undefined
}
export type NotificationState = { readonly status: 'absent' } | LiveNotification

/** @param key of the slot (`schedule.ts`) */
export function notificationId(channelId: string, key: string): string {
  return `ntf_${derivedUlid('notification', channelId, key)}`
}

/** A message to one channel: what happened within one window of time. Sent at most once. */
export const notification: StreamKind<NotificationState, NotificationEvent> = {
  category: 'notification',
  events,
  // Version 2 may be about an approval, version 3 about a budget, version 4 about a platform that was added since.
  upcasters: { NotificationRaised: [unchanged, unchanged, unchanged] },
  personal: {
    key: 'workspace',
    erased: {
      NotificationRaised: { notice: { id: ERASED, topic: 'test', about: ERASED } },
    } satisfies ErasedFields<typeof events>,
  },
  initial: { status: 'absent' },
  evolve: (state, event, { at }): NotificationState => {
    if (event.type === 'NotificationRaised') return raised(state, event.data)
    if (state.status === 'absent') return state
    switch (event.type) {
      case 'NotificationStarted':
        return { ...state, status: 'sending', startedAt: at, attempts: event.data.attempt }
      case 'NotificationDeferred': {
        const notices = [...state.notices, ...state.later].slice(0, MOST_NOTICES)
        const hasMore = state.hasMore || state.notices.length + state.later.length > MOST_NOTICES
        return { ...state, status: 'waiting', notices, later: [], hasMore, dueAt: event.data.retryAt }
      }
      case 'NotificationSent':
      case 'NotificationFailed':
        return {
          ...{ ...state, status: state.later.length > 0 ? 'waiting' : 'settled' },
          ...{ notices: state.later, later: [], hasMore: false, attempts: 0 },
        }
      case 'NotificationDropped':
        return { ...state, status: 'settled', notices: [], later: [] }
    }
  },
}

function raised(
  state: NotificationState,
  { workspaceId, channelId, notice, isFull, dueAt }: Extract<NotificationEvent, { type: 'NotificationRaised' }>['data'],
): NotificationState {
  const added = isFull ? [] : [notice]
  if (state.status === 'absent') {
    const empty = { later: [], known: [notice.id], attempts: 0 }
    return { ...empty, status: 'waiting', workspaceId, channelId, notices: added, hasMore: isFull, dueAt }
  }
  const known = [...state.known, notice.id]
  const hasMore = state.hasMore || isFull
  if (state.status === 'sending') return { ...state, known, hasMore, later: [...state.later, ...added], dueAt }
  return { ...state, status: 'waiting', known, hasMore, notices: [...state.notices, ...added], dueAt }
}
