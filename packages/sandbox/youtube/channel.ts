import { grown } from '../growth.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Resource } from './parts.ts'
import { scriptIn } from './script.ts'
import { channelStatistics, viewsOf, type ChannelNumbers } from './statistics.ts'
import { privacyOf } from './video.ts'

const MOST_SUBSCRIBERS = 5_000

/** A channel as one caller sees it. */
export interface Channel {
  readonly id: string
  readonly title: string
  /** Without the @. */
  readonly handle?: string
  /** Newest first. */
  uploads(): readonly LedgerPost[]
  numbers(): ChannelNumbers
}

/** The list of a channel's uploads. */
export function uploadsListOf(channelId: string): string {
  return channelId.replace(/^UC/, 'UU')
}

export function channelOfList(playlistId: string): string {
  return playlistId.replace(/^UU/, 'UC')
}

/** The channel of a connected account. Only the account itself sees its non-public videos. */
export function connectedChannel(
  { externalId: id, label: title, createdAt }: LedgerAccount,
  caller: LedgerAccount,
  { ledger, clock }: StandInDeps,
): Channel {
  const all = () => ledger.posts('youtube', { accountId: id }).toReversed()
  const inPublic = () => all().filter((video) => privacyOf(video) === 'public')
  return {
    id,
    title,
    uploads: id === caller.externalId ? all : inPublic,
    numbers: () => {
      const now = clock.now()
      return {
        views: all().reduce((sum, video) => sum + viewsOf(video, now), 0),
        subscribers: grown(`subscribers:${id}`, now - Date.parse(createdAt), MOST_SUBSCRIBERS),
        videos: inPublic().length,
        hidesSubscribers: scriptIn(title).hidden === 'subscriberCount',
      }
    },
  }
}

export function channelResource({ id, title, handle, numbers }: Channel): Resource {
  return {
    kind: 'youtube#channel',
    id,
    snippet: { title, ...(handle !== undefined && { customUrl: `@${handle}` }) },
    contentDetails: { relatedPlaylists: { likes: 'LL', uploads: uploadsListOf(id) } },
    statistics: channelStatistics(numbers()),
  }
}
