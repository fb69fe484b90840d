import { Refusal } from '../domain/core/errors.ts'
import { isLive, type VideoState } from '../domain/video/video.ts'
import type { VideoEvent, VideoSettings } from '../domain/video/video-events.ts'

/** Stores a video's settings without rendering anything. */
export function draftVideo(state: VideoState, settings: VideoSettings): readonly VideoEvent[] {
  return state.status === 'absent' ? [{ type: 'VideoDrafted', data: settings }] : []
}

/**
 * Requests a video. Requesting it again is a no-op, even after it was deleted.
 *
 * @param credits charged for it
 * @throws Refusal failed_precondition when its order was canceled
 */
export function requestVideo(state: VideoState, settings: VideoSettings, credits: number): readonly VideoEvent[] {
  if (state.status === 'deleted' && state.was === 'absent') throw new Refusal('failed_precondition', INTERRUPTED)
  return state.status === 'absent' ? [{ type: 'VideoRequested', data: { ...settings, credits } }] : []
}

const INTERRUPTED = 'The order was interrupted, and its credits are refunded. Order the video again.'

/** Cancels an order that was charged, but never recorded. @param refund the charge */
export function cancelOrder(state: VideoState, workspaceId: string, refund: number): readonly VideoEvent[] {
  if (state.status !== 'absent') return []
  return [{ type: 'VideoFailed', data: { error: INTERRUPTED, workspaceId, refund } }]
}

/**
 * Deletes a video permanently. One that is being rendered is canceled and refunded.
 *
 * @throws Refusal not_found when there is none
 */
export function deleteVideo(state: VideoState): readonly VideoEvent[] {
  if (!isLive(state)) throw new Refusal('not_found', 'No such video.')
  const { workspaceId, status, credits } = state
  const refund = status === 'processing' ? credits : 0
  return [{ type: 'VideoDeleted', data: { files: status !== 'draft', workspaceId, refund } }]
}

/** Expires the files of a ready video. No-op when the video is not ready, or its files have already expired. */
export function expireVideoMedia(state: VideoState): readonly VideoEvent[] {
  if (!isLive(state) || state.status !== 'ready' || state.mediaExpiredAt !== undefined) return []
  return [{ type: 'VideoMediaExpired', data: { workspaceId: state.workspaceId } }]
}

/** Records that the files of a deleted or expired video are gone from the media store. */
export function videoFilesDeleted(state: VideoState): readonly VideoEvent[] {
  const isGone = state.status === 'deleted' || (isLive(state) && state.mediaExpiredAt !== undefined)
  return isGone ? [{ type: 'VideoFilesDeleted', data: {} }] : []
}
