import type { LedgerMedia } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { directivesOf, type Directives } from './directives.ts'
import { fetched } from './fetched.ts'
import { madeAt, newId } from './ids.ts'
import { postOf } from './posts.ts'
import { EMPTY, EXPIRED, failedFor, PROCESSED, PROCESSING, PUBLISHED, PUBLISHING } from './video-status.ts'

const LIFETIME_MS = 86_400_000
const MAX_BYTES = 1_000_000_000
const TYPES: readonly string[] = ['video/mp4', 'video/quicktime', 'video/x-m4v', '']
/** Looks that each step takes. */
const LOOKS = { processing: 2, publishing: 1 } as const

export interface Videos {
  /** Creates an empty video. */
  start(accountId: string): LedgerMedia
  /** Starts fetching it in the background. */
  take(video: LedgerMedia, url: string, directives: Directives): void
  find(id: string, accountId: string): LedgerMedia | undefined
  /** What it was created from; undefined when it cannot be published, either not yet or no longer. */
  publishable(video: LedgerMedia): { readonly url: string; readonly directives: Directives } | undefined
  /**
   * Its `status`. Each look advances it by one step, and waits for the download, so that the number of looks is deterministic.
   */
  look(video: LedgerMedia): Promise<object>
}

interface Progress {
  readonly directives: Directives
  readonly fault: Promise<number | undefined>
  processing: number
  publishing: number
}

/**
 * The videos of all Pages. The ledger records that a video exists and whether it is published; processing progress is lost with
 * the process and starts over.
 */
export function videos(deps: StandInDeps, closing: AbortSignal): Videos {
  const { ledger, clock } = deps
  const inProgress = new Map<string, Progress>()

  const begin = (id: string, url: string, directives: Directives): Progress => {
    const { error, processing = LOOKS.processing } = directives
    const fault = error === undefined ? faultOf(url, closing) : Promise.resolve(error)
    const progress = { directives, fault, processing, publishing: LOOKS.publishing }
    inProgress.set(id, progress)
    return progress
  }
  const progressOf = ({ id, sourceUrl: url }: LedgerMedia): Progress | undefined =>
    url === undefined ? undefined : (inProgress.get(id) ?? begin(id, url, directivesOf(url, new Map())))
  const isPosted = ({ id, accountId }: LedgerMedia): boolean => postOf(id, accountId, deps) !== undefined
  const isExpired = (video: LedgerMedia): boolean => !isPosted(video) && clock.now() >= madeAt(video.id) + LIFETIME_MS

  return {
    start: (accountId) => {
      const nothing = { mediaType: 'video', mimeType: '', bytes: 0, sha256: '' } as const
      const video: LedgerMedia = { id: newId(deps), platform: 'facebook', accountId, ...nothing }
      ledger.addMedia(video)
      return video
    },
    take: (video, url, directives) => {
      ledger.addMedia({ ...video, sourceUrl: url })
      begin(video.id, url, directives)
    },
    find: (id, accountId) => {
      const video = ledger.media('facebook', id)
      return video?.accountId === accountId && video.mediaType === 'video' ? video : undefined
    },
    publishable: (video) => {
      const progress = progressOf(video)
      if (!progress || video.sourceUrl === undefined || isPosted(video) || isExpired(video)) return undefined
      return { url: video.sourceUrl, directives: progress.directives }
    },
    look: async (video) => {
      const progress = progressOf(video)
      if (isExpired(video)) return EXPIRED
      if (!progress) return EMPTY
      const fault = await progress.fault
      if (progress.processing > 0) {
        progress.processing -= 1
        return PROCESSING
      }
      if (fault !== undefined) return failedFor(fault)
      if (!isPosted(video)) return PROCESSED
      if (progress.publishing === 0) return PUBLISHED
      progress.publishing -= 1
      return PUBLISHING
    },
  }
}

async function faultOf(url: string, closing: AbortSignal): Promise<number | undefined> {
  const file = await fetched(url, MAX_BYTES, closing)
  if (file === 'unreachable') return 389
  return TYPES.includes(file.mimeType) ? undefined : 352
}
