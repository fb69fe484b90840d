import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { ERASED, personalDataErased, type ErasedFields } from '../core/personal-data.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../core/platform.ts'
import { text } from '../core/text.ts'

export const LOOK_EVERY_MS = 86_400_000
export const LONGEST_HANDLE = 500
export const LONGEST_LABEL = 200

/** `handle` is written without @; `label` is the display name. Both may change. */
const names = { handle: text(LONGEST_HANDLE), label: text(LONGEST_LABEL) }
const count = z.int().nonnegative().optional()

const added = {
  workspaceId: z.string(),
  platform: z.enum(PLATFORM_KEYS),
  accountId: text(100),
  externalId: text(500),
}
const tracked = z.object({
  status: z.literal('tracked'),
  /** `accountId` is the account whose access was used last. */
  ...added,
  handle: names.handle,
  /** Both ISO 8601 UTC. */
  addedAt: z.iso.datetime(),
  lookedAt: z.iso.datetime().optional(),
  /** Since the last successful check. */
  lastError: text(500).optional(),
})
export type TrackedCompetitor = Readonly<z.infer<typeof tracked>>

const events = {
  /** `accountId` is the account whose access is used; `externalId` is the platform's id of the competitor. */
  CompetitorAdded: z.object({ ...added, ...names }),
  /** `followers`, `posts` and `views` are lifetime totals; the rest covers recent posts (`competitor-figures.ts`). */
  CompetitorLooked: z.object({
    /** Absent in events of earlier versions. */
    workspaceId: z.string().optional(),
    accountId: text(100),
    ...names,
    followers: count,
    posts: count,
    views: count,
    postsPerWeek: z.number().nonnegative(),
    interactionsPerPost: z.number().nonnegative().optional(),
    viewsPerPost: z.number().nonnegative().optional(),
  }),
  /** A check failed, with a different error than the previous one. */
  CompetitorLookFailed: z.object({ error: text(500) }),
  CompetitorSummarized: tracked,
  /** The platform does not allow what was read before to be kept. ISO 8601 UTC. */
  CompetitorFiguresErased: z.object({ before: z.iso.datetime() }),
  CompetitorRemoved: z.object({}),
  /** All figures, after it was removed. */
  PersonalDataErased: personalDataErased,
}

export type CompetitorEvent = EventOf<typeof events>
export type AddedCompetitor = Extract<CompetitorEvent, { type: 'CompetitorAdded' }>['data']
export type CompetitorLook = Omit<Extract<CompetitorEvent, { type: 'CompetitorLooked' }>['data'], 'workspaceId'>

export type CompetitorState = { readonly status: 'absent' | 'removed' | 'erased' } | TrackedCompetitor

/** Adding the same competitor again gives the same id. */
export function competitorId(workspaceId: string, platform: PlatformKey, externalId: string): string {
  return `cmp_${derivedUlid('competitor', workspaceId, platform, externalId)}`
}

/** Another party's account that a workspace compares its own accounts with. */
export const competitor: StreamKind<CompetitorState, CompetitorEvent> = {
  category: 'competitor',
  events,
  // Version 2 of a look has the workspace, version 3 its figures encrypted; version 2 of the others may be of a platform that was
  // added since.
  upcasters: {
    CompetitorAdded: [unchanged],
    CompetitorLooked: [unchanged, unchanged],
    CompetitorSummarized: [unchanged],
  },
  personal: {
    key: 'workspace',
    alone: ['CompetitorLooked'],
    erased: {
      CompetitorAdded: { handle: ERASED, label: ERASED },
      CompetitorLooked: {
        handle: ERASED,
        label: ERASED,
        followers: undefined,
        posts: undefined,
        views: undefined,
        postsPerWeek: 0,
        interactionsPerPost: undefined,
        viewsPerPost: undefined,
      },
      CompetitorSummarized: { handle: ERASED },
    } satisfies ErasedFields<typeof events>,
  },
  closedBy: 'CompetitorSummarized',
  close: (state) => (state.status === 'tracked' ? { type: 'CompetitorSummarized', data: state } : undefined),
  initial: { status: 'absent' },
  evolve: (state, event, { at }): CompetitorState => {
    if (event.type === 'CompetitorSummarized') return event.data
    if (event.type === 'CompetitorAdded') {
      const { label: _, ...added } = event.data
      return { ...added, status: 'tracked', addedAt: at }
    }
    if (event.type === 'PersonalDataErased') return { status: 'erased' }
    if (state.status !== 'tracked') return state
    switch (event.type) {
      case 'CompetitorLooked': {
        const { lastError: _, ...well } = state
        const { accountId, handle } = event.data
        return { ...well, accountId, handle, lookedAt: at }
      }
      case 'CompetitorLookFailed':
        return { ...state, lastError: event.data.error }
      case 'CompetitorFiguresErased':
        return state
      case 'CompetitorRemoved':
        return { status: 'removed' }
    }
  },
}
