import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { PLATFORM_KEYS } from '../core/platform.ts'
import { text } from '../core/text.ts'
import { capability, limitFields, limits, type Capability, type Limits } from './capability.ts'

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
const postDefaults = z.record(z.string(), z.unknown())

/** All times are ISO 8601 UTC. */
const known = z.object({
  status: z.enum(['connected', 'disconnected']),
  ...connection,
  /** The last connection. */
  connectedAt: time,
  /** Absent while it is connected. */
  disconnectedAt: time.optional(),
  /** The platform's id of the person who granted the access, where it is not `externalId`. */
  ownerId: text(500).optional(),
  restsUntil: time.optional(),
  /** Why, in words for the owner. */
  needsReauth: text(2000).optional(),
  /** When its access ends, if that is soon. */
  expiresAt: time.optional(),
  limits: limits.optional(),
  /** `since` is when the mode left `off`. */
  automation: z.object({ ...automation, since: time.optional() }),
  /** Absent while nobody has decided: then it depends on what reading costs. */
  readsInBackground: z.boolean().optional(),
  /** What its posts have that do not set it. Absent where the platform has no such options. */
  postDefaults: postDefaults.optional(),
  /** When a requested comment check is due; only requests made since the account was connected count. */
  checkAt: time.optional(),
})
export type KnownAccount = Readonly<z.infer<typeof known>>
export type AutomationState = KnownAccount['automation']

const events = {
  /** Also written when a connected account is connected again. Credentials are stored in the vault under the account's id. */
  AccountConnected: z.object(connection),
  AccountSummarized: known,
  /** Who granted the access, by the id with which the platform reports its end. Of the last connection. */
  AccountOwnerIdentified: z.object({ ownerId: text(500) }),
  AccountDisconnected: z.object({}),
  /** A rate limit or a quota: the platform accepts nothing before `until`, ISO 8601 UTC. */
  AccountRested: z.object({ until: z.iso.datetime(), reason: text(2000) }),
  /**
   * The platform no longer accepts the credentials: nothing is published until the owner reconnects the account. Events of
   * version 1 have only the reason.
   */
  AccountNeedsReauth: z.object({
    reason: text(2000),
    workspaceId: connection.workspaceId.optional(),
    platform: connection.platform.optional(),
  }),
  /** The access ends at `until`, ISO 8601 UTC, unless the owner connects the account again. */
  AccountExpiring: z.object({
    until: time,
    workspaceId: connection.workspaceId,
    platform: connection.platform,
  }),
  /** The platform refuses one capability, for a reason that does not concern the others. */
  AccountLimited: z.object({ capability, ...limitFields }),
  /** The capability works again. */
  AccountLimitLifted: z.object({ capability }),
  AutomationSet: z.object(automation),
  /** Whether comments and metrics are read on a schedule. */
  BackgroundReadingSet: z.object({ isOn: z.boolean() }),
  /** What posts have that do not set it themselves: on Pinterest the board. */
  PostDefaultsSet: z.object({ options: postDefaults }),
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
  // Version 2 of the summary may have the time of the disconnection, version 3 the owner, version 4 the limits and whether it is
  // read in the background, version 5 the defaults of its posts, version 6 the end of its
  // access, version 7 and the last ones of the others a platform that was added since. Since its version 4, and version 2 of AutomationSet, the
  // instruction is encrypted, which an earlier version of Fanfare could not read once it is erased.
  upcasters: {
    AccountConnected: [unchanged],
    AccountSummarized: [unchanged, unchanged, unchanged, unchanged, unchanged, unchanged],
    AutomationSet: [unchanged],
    AccountNeedsReauth: [unchanged, unchanged],
    AccountExpiring: [unchanged],
  },
  personal: {
    erased: {
      AccountConnected: { label: ERASED },
      AccountSummarized: { label: ERASED, ownerId: ERASED, automation: NO_AUTOMATION },
      AccountOwnerIdentified: { ownerId: ERASED },
      // Not a text: it may be used as an instruction.
      AutomationSet: { instruction: NO_AUTOMATION.instruction },
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
        const { automation, readsInBackground, postDefaults }: Decided = state.status === 'absent' ? UNDECIDED : state
        const kept = {
          ...(readsInBackground !== undefined && { readsInBackground }),
          ...(postDefaults && { postDefaults }),
        }
        return { status: 'connected', ...event.data, automation, ...kept, connectedAt: at }
      }
      case 'AccountOwnerIdentified':
        return state.status === 'absent' ? state : { ...state, ownerId: event.data.ownerId }
      case 'AccountDisconnected':
        return state.status === 'absent' ? state : { ...state, status: 'disconnected', disconnectedAt: at }
      case 'AccountRested':
        return state.status === 'absent' ? state : { ...state, restsUntil: event.data.until }
      case 'AccountNeedsReauth':
        return state.status === 'absent' ? state : { ...state, needsReauth: event.data.reason }
      case 'AccountExpiring':
        return state.status === 'absent' ? state : { ...state, expiresAt: event.data.until }
      case 'AccountLimited': {
        const { capability, ...limit } = event.data
        if (state.status === 'absent') return state
        return { ...state, limits: { ...state.limits, [capability]: { ...limit, since: at } } }
      }
      case 'AccountLimitLifted':
        return state.status === 'absent'
          ? state
          : { ...state, limits: withoutLimit(state.limits, event.data.capability) }
      case 'AutomationSet':
        return state.status === 'absent' ? state : { ...state, automation: automated(state, event.data, at) }
      case 'BackgroundReadingSet':
        return state.status === 'absent' ? state : { ...state, readsInBackground: event.data.isOn }
      case 'PostDefaultsSet':
        return state.status === 'absent' ? state : { ...state, postDefaults: event.data.options }
      case 'CommentsCheckRequested':
        return state.status === 'absent' ? state : { ...state, checkAt: event.data.checkAt }
      case 'PersonalDataErased':
        return state.status === 'absent' ? state : erasedState(state)
    }
  },
}

/** The remaining limits; undefined if there are none. */
export function withoutLimit(limits: Limits = {}, capability: Capability): Limits | undefined {
  const { [capability]: _, ...rest } = limits
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** What the owner decided about an account; it outlives a disconnection. */
type Decided = Pick<KnownAccount, 'automation' | 'readsInBackground' | 'postDefaults'>
const UNDECIDED: Decided = { automation: NO_AUTOMATION }

function erasedState({ ownerId: _, ...state }: KnownAccount): KnownAccount {
  return { ...state, label: ERASED }
}

function automated({ automation: before }: KnownAccount, automation: Automation, at: string): AutomationState {
  return automation.mode === 'off' ? automation : { ...automation, since: before.since ?? at }
}
