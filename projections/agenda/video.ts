import { credits } from '../../domain/video/credits.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { video as kind } from '../../domain/video/video.ts'
import type { PromiseKind } from './promise.ts'

/** By then whoever took the charge has begun the video, or has died over it. */
const BEGUN_WITHIN_MS = 5_000

/**
 * A video: from its charge until it is ready or has failed; and once it is deleted or its media expire, until its files are gone. One lane for each
 * workspace. `part`: the workspace whose charge is to become a video.
 */
export const video: PromiseKind = {
  // The charge, of another stream, comes before the video's first event.
  makesAnew: () => false,
  names: (recorded) => {
    const charge = eventOf(credits, recorded)
    if (charge) return charge.type === 'CreditsCharged' ? [charge.data.videoId] : []
    return eventOf(kind, recorded) ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const { at } = recorded.metadata
    const charge = eventOf(credits, recorded)
    if (charge) {
      const { workspaceId } = charge.data
      return { subject, part: workspaceId, lane: workspaceId, due_at: later(at, BEGUN_WITHIN_MS) }
    }
    const event = eventOf(kind, recorded)
    switch (event?.type) {
      case 'VideoRequested':
        return { subject, part: '', lane: event.data.workspaceId, due_at: at }
      case 'RenderDeferred':
        return promise && { ...promise, due_at: event.data.retryAt }
      case 'RenderSubmitted':
      case 'PartRendered':
      case 'PartFailed':
        return promise && { ...promise, due_at: at }
      case 'VideoDeleted':
        return event.data.files ? { subject, part: '', lane: event.data.workspaceId, due_at: at } : undefined
      case 'VideoMediaExpired':
        return { subject, part: '', lane: event.data.workspaceId, due_at: at }
      case 'VideoReady':
      case 'VideoFailed':
      case 'VideoFilesDeleted':
        return undefined
      default:
        return promise
    }
  },
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString()
}
