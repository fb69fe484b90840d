import { credits } from '../../domain/video/credits.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { video as kind } from '../../domain/video/video.ts'
import type { PromiseKind } from './promise.ts'

/** Long enough for a client to repeat an order whose process crashed, even if that took the service down for a while. */
const BEGUN_WITHIN_MS = 15 * 60_000

/**
 * A video: from its charge until it is ready or fails, and after deletion or media expiry until its files are gone. `part` is
 * the workspace while the charge has not yet become a video. Concurrency group: the workspace.
 */
export const video: PromiseKind = {
  // The charge, in another stream, precedes the video's first event.
  createsRow: () => false,
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
      return { subject, part: workspaceId, lane: workspaceId, dueAt: later(at, BEGUN_WITHIN_MS) }
    }
    const event = eventOf(kind, recorded)
    switch (event?.type) {
      case 'VideoRequested':
        return { subject, part: '', lane: event.data.workspaceId, dueAt: at }
      case 'RenderDeferred':
        return promise && { ...promise, dueAt: event.data.retryAt }
      case 'RenderSubmitted':
      case 'PartRendered':
      case 'PartFailed':
        return promise && { ...promise, dueAt: at }
      case 'VideoDeleted':
        return event.data.files ? { subject, part: '', lane: event.data.workspaceId, dueAt: at } : undefined
      case 'VideoMediaExpired':
        return { subject, part: '', lane: event.data.workspaceId, dueAt: at }
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
