import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { PLATFORM_KEYS } from '../core/platform.ts'
import { text } from '../core/text.ts'

/** `review`: the AI drafts a reply, which a person approves. `auto`: the reply is sent without approval. */
export const AUTOMATION_MODES = ['off', 'review', 'auto'] as const
export const LONGEST_INSTRUCTION = 2_000

const connection = {
  workspaceId: z.string(),
  platform: z.enum(PLATFORM_KEYS),
  externalId: text(500),
  label: text(200),
  baseUrl: text(2000).optional(),
}
/** Applies to comments written from now on. */
const automation = { mode: z.enum(AUTOMATION_MODES), instruction: text(LONGEST_INSTRUCTION) }
const time = z.iso.datetime()

/** All times are ISO 8601 UTC. */
const known = z.object({
  status: z.enum(['connected', 'disconnected']),
  ...connection,
  /** The last connection. */
  connectedAt: time,
  /** Absent while it is connected. */
  disconnectedAt: time.optional(),
  restsUntil: time.optional(),
  /** Why, in words for the owner. */
  needsReauth: text(2000).optional(),
  /** `since` is when the mode left `off`. */
  automation: z.object({ ...automation, since: time.optional() }),
  /** When a requested comment check is due; only requests made since the account was connected count. */
  checkAt: time.optional(),
})
export type KnownAccount = Readonly<z.infer<typeof known>>
export type AutomationState = KnownAccount['automation']

const events = {
  /** Also written when a connected account is connected again. Credentials are stored in the vault under the account's id. */
  AccountConnected: z.object(connection),
  AccountSummarized: known,
  AccountDisconnected: z.object({}),
  /** A rate limit or a quota: the platform accepts nothing before `until`, ISO 8601 UTC. */
  AccountRested: z.object({ until: z.iso.datetime(), reason: text(2000) }),
  /** The platform no longer accepts the credentials: nothing is published until the owner reconnects the account. */
  AccountNeedsReauth: z.object({ reason: text(2000) }),
  AutomationSet: z.object(automation),
  /** A user asked for a comment check, regardless of the schedule: at `checkAt`, ISO 8601 UTC. */
  CommentsCheckRequested: z.object({ checkAt: z.iso.datetime() }),
  PersonalDataErased: personalDataErased,
}

export type AccountEvent = EventOf<typeof events>

export type Automation = Extract<AccountEvent, { type: 'AutomationSet' }>['data']
export const NO_AUTOMATION: Automation = { mode: 'off', instruction: '' }

export type AccountState = { readonly status: 'absent' } | KnownAccount

export const account: StreamKind<AccountState, AccountEvent> = {
  category: 'account',
  events,
  // Version 2 may have the time of the disconnection.
  upcasters: { AccountSummarized: [(data) => data] },
  personal: {
    erased: {
      AccountConnected: { label: ERASED },
      AccountSummarized: { label: ERASED },
    } satisfies ErasedFields<typeof events>,
    begins: 'AccountConnected',
    subjectOf: (begin, accountId) => ({ workspaceId: (begin as KnownAccount).workspaceId, accountId }),
  },
  closedBy: 'AccountSummarized',
  close: (state) => (state.status === 'absent' ? undefined : { type: 'AccountSummarized', data: state }),
  initial: { status: 'absent' },
  evolve: (state, event, { at }) => {
    switch (event.type) {
      case 'AccountSummarized':
        return event.data
      case 'AccountConnected': {
        const automation = state.status === 'absent' ? NO_AUTOMATION : state.automation
        return { status: 'connected', ...event.data, automation, connectedAt: at }
      }
      case 'AccountDisconnected':
        return state.status === 'absent' ? state : { ...state, status: 'disconnected', disconnectedAt: at }
      case 'AccountRested':
        return state.status === 'absent' ? state : { ...state, restsUntil: event.data.until }
      case 'AccountNeedsReauth':
        return state.status === 'absent' ? state : { ...state, needsReauth: event.data.reason }
      case 'AutomationSet':
        return state.status === 'absent' ? state : { ...state, automation: automated(state, event.data, at) }
      case 'CommentsCheckRequested':
        return state.status === 'absent' ? state : { ...state, checkAt: event.data.checkAt }
      case 'PersonalDataErased':
        return state.status === 'absent' ? state : { ...state, label: ERASED }
    }
  },
}

function automated({ automation: before }: KnownAccount, automation: Automation, at: string): AutomationState {
  return automation.mode === 'off' ? automation : { ...automation, since: before.since ?? at }
}
