import { Refusal } from '../domain/core/errors.ts'
import { derivedId } from '../domain/core/ids.ts'
import { isLive, type VideoState } from '../domain/video/video.ts'
import type { VideoEvent, VideoSettings } from '../domain/video/video-events.ts'

/** Keeps the settings of a video, and makes nothing of them. */
export function draftVideo(state: VideoState, settings: VideoSettings): readonly VideoEvent[] {
  return state.status === 'absent' ? [{ type: 'VideoDrafted', data: settings }] : []
}

/** Names the beginning of a video, so that it is begun once by whoever took the charge and by whoever found it taken. */
export function beginVideo(id: string): string {
  return derivedId('begin video', id)
}

/** Has a video made. Asking for the same one again changes nothing, also when it was deleted. @param credits charged for it */
export function requestVideo(state: VideoState, settings: VideoSettings, credits: number): readonly VideoEvent[] {
  return state.status === 'absent' ? [{ type: 'VideoRequested', data: { ...settings, credits } }] : []
}

/**
 * Deletes a video for good; one that is being made is cancelled, and paid back.
 *
 * @throws Refusal not_found when there is none
 */
export function deleteVideo(state: VideoState): readonly VideoEvent[] {
  if (!isLive(state)) throw new Refusal('not_found', 'No such video.')
  const { workspaceId, status, credits } = state
  const refund = status === 'processing' ? credits : 0
  return [{ type: 'VideoDeleted', data: { files: status !== 'draft', workspaceId, refund } }]
}

/** Gives up the files of a video that is ready. One that is not, or has none any more, stays as it is. */
export function expireVideoMedia(state: VideoState): readonly VideoEvent[] {
  if (!isLive(state) || state.status !== 'ready' || state.mediaExpiredAt !== undefined) return []
  return [{ type: 'VideoMediaExpired', data: { workspaceId: state.workspaceId } }]
}

/** What was deleted or has expired, and whose files are gone from the media store too. */
export function videoFilesDeleted(state: VideoState): readonly VideoEvent[] {
  const isGone = state.status === 'deleted' || (isLive(state) && state.mediaExpiredAt !== undefined)
  return isGone ? [{ type: 'VideoFilesDeleted', data: {} }] : []
}
