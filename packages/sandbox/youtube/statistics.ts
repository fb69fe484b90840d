import { grown } from '../growth.ts'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { scriptIn } from './script.ts'

const MOST_VIEWS = 20_000
/** Maximum per thousand viewers. */
const MOST_LIKES = 60
const MOST_COMMENTS = 8

type Counted = Pick<LedgerPost, 'id' | 'createdAt' | 'reach'>

export function viewsOf({ id, createdAt, reach }: Counted, now: number): number {
  return grown(`views:${id}`, now - Date.parse(createdAt), MOST_VIEWS, reach)
}

export function simulatedCounts(video: Counted, now: number) {
  const views = viewsOf(video, now)
  const of = (what: string, mostInThousand: number): number =>
    Math.floor((views * grown(`${what}:${video.id}`, Infinity, mostInThousand)) / 1000)
  return { views, likes: of('likes', MOST_LIKES), comments: of('comments', MOST_COMMENTS) }
}

/** A video's statistics: all as strings, without the one that its description hides. */
export function videoStatistics(video: LedgerPost, { ledger, clock }: StandInDeps): object {
  const { id, caption } = video
  const { views, likes, comments } = simulatedCounts(video, clock.now())
  const counts = {
    viewCount: views,
    likeCount: likes,
    favoriteCount: 0,
    commentCount: comments + ledger.commentsUnder('youtube', id).length,
  }
  const { hidden } = scriptIn(caption)
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, value]) => (name === hidden ? [] : [[name, String(value)]])),
  )
}

export interface ChannelNumbers {
  readonly views: number
  readonly subscribers: number
  readonly videos: number
  readonly hidesSubscribers: boolean
}

/** A channel's statistics. Subscribers are rounded down to three significant digits, and 0 when hidden. */
export function channelStatistics({ views, subscribers, videos, hidesSubscribers }: ChannelNumbers): object {
  const figure = 10 ** Math.max(0, String(subscribers).length - 3)
  return {
    viewCount: String(views),
    subscriberCount: hidesSubscribers ? '0' : String(Math.floor(subscribers / figure) * figure),
    hiddenSubscriberCount: hidesSubscribers,
    videoCount: String(videos),
  }
}
