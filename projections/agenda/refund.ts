import { credits } from '../../domain/video/credits.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { video } from '../../domain/video/video.ts'
import type { PromiseKind } from './promise.ts'

/** The refund of a failed or deleted video, until it is made. `part` is the workspace, and so is the concurrency group. */
export const refund: PromiseKind = {
  names: (recorded) => {
    const entry = eventOf(credits, recorded)
    if (entry) return entry.type === 'CreditsRefunded' ? [entry.data.videoId] : []
    const event = eventOf(video, recorded)
    const ends = event?.type === 'VideoFailed' || event?.type === 'VideoDeleted'
    return ends ? [parseStreamName(recorded.stream).id] : []
  },
  apply: (promise, recorded, subject) => {
    const event = eventOf(video, recorded)
    if (event?.type !== 'VideoFailed' && event?.type !== 'VideoDeleted') return undefined
    if (event.data.refund === 0) return promise
    const { workspaceId } = event.data
    return { subject, part: workspaceId, lane: workspaceId, dueAt: recorded.metadata.at }
  },
}
