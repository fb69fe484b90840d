import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { text } from '../core/text.ts'

/** The platforms that take posts of feeds (api-spec §4, RSS feeds). */
export const FEED_PLATFORMS = ['facebook', 'instagram', 'threads', 'pinterest', 'bluesky'] as const

const settings = {
  selections: z.record(z.string(), z.array(text(100))),
  captionTemplate: text(10_000),
  checkIntervalMinutes: z.int().min(15),
}

const events = {
  FeedAdded: z.object({ workspaceId: z.string(), url: text(2000), ...settings }),
  /** The workspace is named again because a paused feed owes nothing that would name it. */
  FeedChanged: z.object({
    workspaceId: z.string(),
    ...z.object(settings).partial().shape,
    active: z.boolean().optional(),
  }),
  FeedDeleted: z.object({}),
  /** Somebody wants it checked now. */
  FeedCheckRequested: z.object({}),
  /**
   * What was in the feed when it was added is known: only what comes after it is posted. `newestAt` is the date of the newest,
   * ISO 8601 UTC; `isWhole` is false when the document was too long for all of its items to be read.
   */
  FeedSeeded: z.object({ items: z.int(), newestAt: z.iso.datetime().optional(), isWhole: z.boolean() }),
  /** A check failed, in another way than the one before. */
  FeedCheckFailed: z.object({ error: text(2000) }),
  /** The first check that went well after one that failed. */
  FeedRecovered: z.object({}),
}

export type FeedEvent = EventOf<typeof events>
export type FeedSettings = Readonly<z.infer<z.ZodObject<typeof settings>>>

/** What was in a feed when it was added. */
export type Seeding = Extract<FeedEvent, { type: 'FeedSeeded' }>['data']

export type FeedState = { readonly status: 'absent' | 'deleted' } | LiveFeed

export interface LiveFeed extends FeedSettings {
  readonly status: 'active' | 'paused'
  readonly workspaceId: string
  readonly url: string
  readonly seeded?: Seeding
  readonly lastError?: string
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

export function isLive(state: FeedState): state is LiveFeed {
  return state.status === 'active' || state.status === 'paused'
}

/** An RSS or Atom feed whose new items become posts. Its items have streams of their own (`feed-item.ts`). */
export const feed: StreamKind<FeedState, FeedEvent> = {
  category: 'feed',
  events,
  initial: { status: 'absent' },
  evolve: (state, event, { at }): FeedState => {
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
