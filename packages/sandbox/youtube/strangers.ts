import { createHash } from 'node:crypto'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { trimEnd } from '../../../infra/runtime/trim-end.ts'
import { grown } from '../growth.ts'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Channel } from './channel.ts'

const HOUR_MS = 3_600_000
const SINCE = Date.UTC(2024, 0, 1)
/** How many of their newest videos are listed. */
const LISTED = 150
const LONGEST_PAUSE_HOURS = 96
const MOST_SUBSCRIBERS = 2_000_000
const VIEWS_A_VIDEO = 9_000

/** Short enough for an id to contain the whole handle. */
const HANDLE = /^(?!nobody)[a-z0-9_](?:[a-z0-9_-]{0,20}[a-z0-9_])?$/
const CHANNEL_ID = /^UC(.{22})$/

/** Simulated channels of others, derived from their handles. Deterministic. */
export interface Strangers {
  byHandle(handle: string): Channel | undefined
  byId(channelId: string): Channel | undefined
  /** One of their videos, if it was listed before. */
  video(id: string): LedgerPost | undefined
}

export function inventedStrangers({ clock }: Pick<StandInDeps, 'clock'>): Strangers {
  const listed = new Map<string, LedgerPost>()

  const uploads = (channelId: string, pauseMs: number): readonly LedgerPost[] => {
    const newest = Math.floor(clock.now() / pauseMs)
    return Array.from({ length: LISTED }, (_, back) => {
      const video = inventedVideo(channelId, newest - back, pauseMs)
      listed.set(video.id, video)
      return video
    })
  }
  const byHandle = (given: string): Channel | undefined => {
    const handle = given.replace(/^@/, '').toLowerCase()
    if (!HANDLE.test(handle)) return undefined
    const id = `UC${handle.padEnd(22, '-')}`
    const pauseMs = Math.max(1, grown(`pause:${handle}`, Infinity, LONGEST_PAUSE_HOURS)) * HOUR_MS
    const words = handle.split(/[_-]/).filter((word) => word !== '')
    return {
      id,
      title: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' '),
      handle,
      uploads: () => uploads(id, pauseMs),
      numbers: () => {
        const videos = (clock.now() - SINCE) / pauseMs
        return {
          views: Math.floor(videos * VIEWS_A_VIDEO),
          subscribers: grown(`subscribers:${handle}`, clock.now() - SINCE, MOST_SUBSCRIBERS),
          videos: Math.floor(videos),
          hidesSubscribers: false,
        }
      },
    }
  }
  return {
    byHandle,
    byId: (channelId) => {
      const handle = trimEnd(CHANNEL_ID.exec(channelId)?.[1] ?? '', /^-$/)
      // An id may contain upper case, a handle does not.
      return handle === handle.toLowerCase() ? byHandle(handle) : undefined
    },
    video: (id) => listed.get(id),
  }
}

function inventedVideo(accountId: string, number: number, pauseMs: number): LedgerPost {
  const id = createHash('sha256').update(`${accountId} ${number}`).digest('base64url').slice(0, 11)
  return {
    id,
    platform: 'youtube',
    accountId,
    caption: '',
    mediaUrl: `https://videos.example/${id}`,
    mediaType: 'video',
    createdAt: isoTime(number * pauseMs),
    details: {
      title: `Video ${number}`,
      categoryId: '22',
      privacyStatus: 'public',
      madeForKids: false,
      notifySubscribers: true,
    },
  }
}
