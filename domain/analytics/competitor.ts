import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../core/platform.ts'
import { text } from '../core/text.ts'

export const LOOK_EVERY_MS = 86_400_000
export const LONGEST_HANDLE = 500
export const LONGEST_LABEL = 200

/** As people write it, without @; and as it is shown. Both may change. */
const names = { handle: text(LONGEST_HANDLE), label: text(LONGEST_LABEL) }
const count = z.int().nonnegative().optional()

const events = {
  /** `accountId` is whose access is used, `externalId` the platform's own id of the competitor. */
  CompetitorAdded: z.object({
    workspaceId: z.string(),
    platform: z.enum(PLATFORM_KEYS),
    accountId: text(100),
    externalId: text(500),
    ...names,
  }),
  /** `followers`, `posts` and `views` are of all its life, the rest of its recent posts (`competitor-figures.ts`). */
  CompetitorLooked: z.object({
    accountId: text(100),
    ...names,
    followers: count,
    posts: count,
    views: count,
    postsPerWeek: z.number().nonnegative(),
    interactionsPerPost: z.number().nonnegative().optional(),
    viewsPerPost: z.number().nonnegative().optional(),
  }),
  /** It could not be looked at, for another reason than the time before. */
  CompetitorLookFailed: z.object({ error: text(500) }),
  CompetitorRemoved: z.object({}),
}

export type CompetitorEvent = EventOf<typeof events>
export type AddedCompetitor = Extract<CompetitorEvent, { type: 'CompetitorAdded' }>['data']
export type CompetitorLook = Extract<CompetitorEvent, { type: 'CompetitorLooked' }>['data']

export type CompetitorState = { readonly status: 'absent' | 'removed' } | TrackedCompetitor

export interface TrackedCompetitor {
  readonly status: 'tracked'
  readonly workspaceId: string
  readonly platform: PlatformKey
  /** Whose access was used last. */
  readonly accountId: string
  readonly externalId: string
  readonly handle: string
  /** Both ISO 8601 UTC. */
  readonly addedAt: string
  readonly lookedAt?: string
  /** Since the last look that went well. */
  readonly lastError?: string
}

/** The same for whoever adds it again. */
export function competitorId(workspaceId: string, platform: PlatformKey, externalId: string): string {
  return `cmp_${derivedUlid('competitor', workspaceId, platform, externalId)}`
}

/** Somebody else's account that a workspace compares its own with. */
export const competitor: StreamKind<CompetitorState, CompetitorEvent> = {
  category: 'competitor',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }): CompetitorState => {
    if (event.type === 'CompetitorAdded') {
      const { label: _, ...added } = event.data
      return { ...added, status: 'tracked', addedAt: at }
    }
    if (state.status !== 'tracked') return state
    switch (event.type) {
      case 'CompetitorLooked': {
        const { lastError: _, ...well } = state
        const { accountId, handle } = event.data
        return { ...well, accountId, handle, lookedAt: at }
      }
      case 'CompetitorLookFailed':
        return { ...state, lastError: event.data.error }
      case 'CompetitorRemoved':
        return { status: 'removed' }
    }
  },
}
