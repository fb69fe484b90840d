import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../core/platform.ts'
import { text } from '../core/text.ts'

/** `review`: the AI drafts a reply, which a person approves. `auto`: the reply is sent without approval. */
export const AUTOMATION_MODES = ['off', 'review', 'auto'] as const
export const LONGEST_INSTRUCTION = 2_000

const events = {
  /** Also written when a connected account is connected again. Credentials are stored in the vault under the account's id. */
  AccountConnected: z.object({
    workspaceId: z.string(),
    platform: z.enum(PLATFORM_KEYS),
    externalId: text(500),
    label: text(200),
    baseUrl: text(2000).optional(),
  }),
  AccountDisconnected: z.object({}),
  /** A rate limit or a quota: the platform accepts nothing before `until`, ISO 8601 UTC. */
  AccountRested: z.object({ until: z.iso.datetime(), reason: text(2000) }),
  /** The platform no longer accepts the credentials: nothing is published until the owner reconnects the account. */
  AccountNeedsReauth: z.object({ reason: text(2000) }),
  /** Applies to comments written from now on. */
  AutomationSet: z.object({ mode: z.enum(AUTOMATION_MODES), instruction: text(LONGEST_INSTRUCTION) }),
  /** A user asked for a comment check, regardless of the schedule: at `checkAt`, ISO 8601 UTC. */
  CommentsCheckRequested: z.object({ checkAt: z.iso.datetime() }),
}

export type AccountEvent = EventOf<typeof events>

export type Automation = Extract<AccountEvent, { type: 'AutomationSet' }>['data']
export const NO_AUTOMATION: Automation = { mode: 'off', instruction: '' }

/** `since` is when the mode left `off`, ISO 8601 UTC. */
export type AutomationState = Automation & { readonly since?: string }

export type AccountState = { readonly status: 'absent' } | KnownAccount

export interface KnownAccount {
  readonly status: 'connected' | 'disconnected'
  readonly workspaceId: string
  readonly platform: PlatformKey
  readonly externalId: string
  readonly label: string
  readonly baseUrl?: string | undefined
  /** The last connection. All times are ISO 8601 UTC. */
  readonly connectedAt: string
  readonly restsUntil?: string
  /** Why, in words for the owner. */
  readonly needsReauth?: string
  readonly automation: AutomationState
  /** When a requested comment check is due; only requests made since the account was connected count. */
  readonly checkAt?: string
}

export const account: StreamKind<AccountState, AccountEvent> = {
  category: 'account',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    switch (event.type) {
      case 'AccountConnected': {
        const automation = state.status === 'absent' ? NO_AUTOMATION : state.automation
        return { status: 'connected', ...event.data, automation, connectedAt: at }
      }
      case 'AccountDisconnected':
        return state.status === 'absent' ? state : { ...state, status: 'disconnected' }
      case 'AccountRested':
        return state.status === 'absent' ? state : { ...state, restsUntil: event.data.until }
      case 'AccountNeedsReauth':
        return state.status === 'absent' ? state : { ...state, needsReauth: event.data.reason }
      case 'AutomationSet':
        return state.status === 'absent' ? state : { ...state, automation: automated(state, event.data, at) }
      case 'CommentsCheckRequested':
        return state.status === 'absent' ? state : { ...state, checkAt: event.data.checkAt }
    }
  },
}

function automated({ automation: before }: KnownAccount, automation: Automation, at: string): AutomationState {
  return automation.mode === 'off' ? automation : { ...automation, since: before.since ?? at }
}
