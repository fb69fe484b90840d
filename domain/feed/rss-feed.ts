import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { erasedOptions, postOptions } from '../core/post-options.ts'
import { text } from '../core/text.ts'

/** The platforms that feeds can post to (api-spec §4, RSS feeds). */
export const FEED_PLATFORMS = ['facebook', 'instagram', 'threads', 'pinterest', 'bluesky'] as const

const settings = {
  selections: z.record(z.string(), z.array(text(100))),
  captionTemplate: text(10_000),
  checkIntervalMinutes: z.int().min(15),
  ...postOptions,
}

const added = { workspaceId: z.string(), url: text(2000), ...settings }
/**
 * The items present when the feed was added are recorded: only later ones are posted. `newestAt` is the newest item's date,
 * ISO 8601 UTC; `isWhole` is false when the document was too long to read every item.
 */
const seeding = z.object({ items: z.int(), newestAt: z.iso.datetime().optional(), isWhole: z.boolean() })
export type Seeding = Readonly<z.infer<typeof seeding>>

const live = z.object({
  status: z.enum(['active', 'paused']),
  ...added,
  seeded: seeding.optional(),
  lastError: text(2000).optional(),
  /** ISO 8601 UTC. */
  createdAt: z.iso.datetime(),
})
export type LiveFeed = Readonly<z.infer<typeof live>>

const events = {
  FeedAdded: z.object(added),
  /** Repeats the workspace because a paused feed has no agenda row that names it. */
  FeedChanged: z.object({
    workspaceId: z.string(),
    ...z.object(settings).partial().shape,
    active: z.boolean().optional(),
  }),
  FeedSummarized: live,
  FeedDeleted: z.object({}),
  /** A user asked for a check now. */
  FeedCheckRequested: z.object({}),
  FeedSeeded: seeding,
  /** A check failed, with a different error than the previous one. */
  FeedCheckFailed: z.object({ error: text(2000) }),
  /** The first successful check after a failed one. */
  FeedRecovered: z.object({}),
}

export type FeedEvent = EventOf<typeof events>
export type FeedSettings = Readonly<z.infer<z.ZodObject<typeof settings>>>

/** The items present when a feed was added. */

export type FeedState = { readonly status: 'absent' | 'deleted' } | LiveFeed

export function isLive(state: FeedState): state is LiveFeed {
  return state.status === 'active' || state.status === 'paused'
}

/** An RSS or Atom feed whose new items become posts. Items have their own streams (`feed-item.ts`). */
export const feed: StreamKind<FeedState, FeedEvent> = {
  category: 'feed',
  events,
  // Version 2 may have options of platforms and accounts.
  upcasters: { FeedAdded: [unchanged], FeedChanged: [unchanged], FeedSummarized: [unchanged] },
  personal: {
    key: 'workspace',
    erased: {
      FeedAdded: { url: ERASED, captionTemplate: ERASED, ...erasedOptions },
      FeedChanged: { captionTemplate: ERASED, ...erasedOptions },
      FeedSummarized: { url: ERASED, captionTemplate: ERASED, ...erasedOptions },
    } satisfies ErasedFields<typeof events>,
  },
  closedBy: 'FeedSummarized',
  close: (state) => (isLive(state) ? { type: 'FeedSummarized', data: state } : undefined),
  initial: { status: 'absent' },
  evolve: (state, event, { at }): FeedState => {
    if (event.type === 'FeedSummarized') return event.data
    if (event.type === 'FeedAdded') return { ...event.data, status: 'active', createdAt: at }
    if (!isLive(state)) return state
    switch (event.type) {
      case 'FeedChanged': {
        const { active = state.status === 'active', workspaceId: _, ...settings } = event.data
        return { ...state, ...given(settings), status: active ? 'active' : 'paused' }
      }
      case 'FeedDeleted':
        return { status: 'deleted' }
      case 'FeedCheckRequested':
        return state
      case 'FeedSeeded':
        return { ...state, seeded: event.data }
      case 'FeedCheckFailed':
        return { ...state, lastError: event.data.error }
      case 'FeedRecovered': {
        const { lastError: _, ...well } = state
        return well
      }
    }
  },
}

function given(settings: {
  readonly [Name in keyof FeedSettings]?: FeedSettings[Name] | undefined
}): Partial<FeedSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}
