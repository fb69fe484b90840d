import { Refusal } from '../domain/core/errors.ts'
import {
  isLiveMedia,
  type MediaDeletion,
  type MediaEvent,
  type MediaState,
  type PinnedFile,
  type RelayedMedia,
  type StartedUpload,
} from '../domain/media/media.ts'

type DataOf<T extends MediaEvent['type']> = Extract<MediaEvent, { type: T }>['data']

/** Announces a file. Announcing it again is a no-op. */
export function startUpload(state: MediaState, started: StartedUpload): readonly MediaEvent[] {
  return state.status === 'absent' ? [{ type: 'UploadStarted', data: started }] : []
}

/** Records that the media store has the file. @throws Refusal not_found when the upload was deleted meanwhile */
export function completeUpload(state: MediaState, stored: DataOf<'UploadCompleted'>): readonly MediaEvent[] {
  if (!isLiveMedia(state) || state.status === 'failed') throw noUpload()
  return state.status === 'uploading' ? [{ type: 'UploadCompleted', data: stored }] : []
}

/** Ends an upload whose content is not what was announced. */
export function failUpload(state: MediaState, error: string): readonly MediaEvent[] {
  return state.status === 'uploading' ? [{ type: 'UploadFailed', data: { error } }] : []
}

/** Announces a file that is about to be relayed. Announcing it again is a no-op. */
export function relayMedia(state: MediaState, relayed: RelayedMedia): readonly MediaEvent[] {
  return state.status === 'absent' ? [{ type: 'MediaRelayed', data: relayed }] : []
}

/** Announces a copy that is about to be stored. Announcing it again is a no-op. */
export function pinFile(state: MediaState, pinned: PinnedFile): readonly MediaEvent[] {
  return state.status === 'absent' ? [{ type: 'MediaPinned', data: pinned }] : []
}

/** No-op when it is already deleted. @throws Refusal not_found when there is none */
export function deleteMedia(state: MediaState, reason: MediaDeletion): readonly MediaEvent[] {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such media.')
  return state.status !== 'deleted' ? [{ type: 'MediaDeleted', data: { workspaceId: state.workspaceId, reason } }] : []
}

export function mediaFilesDeleted(state: MediaState): readonly MediaEvent[] {
  return state.status === 'deleted' ? [{ type: 'MediaFilesDeleted', data: {} }] : []
}

export function noUpload(): Refusal {
  return new Refusal('not_found', 'No such upload. It may have expired: start another with POST /v1/uploads.')
}
