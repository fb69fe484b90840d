import { Refusal } from '../domain/core/errors.ts'
import {
  isLiveMedia,
  type MediaDeletion,
  type MediaEdit,
  type MediaEvent,
  type MediaState,
  type PinnedFile,
  type RelayedMedia,
  type StartedUpload,
} from '../domain/media/media.ts'

type DataOf<T extends MediaEvent['type']> = Extract<MediaEvent, { type: T }>['data']

/** Announces a file. Announcing it again is a no-op. @param edit what is known of it from the start */
export function startUpload(state: MediaState, started: StartedUpload, edit: MediaEdit = {}): readonly MediaEvent[] {
  if (state.status !== 'absent') return []
  return [{ type: 'UploadStarted', data: started }, ...edited(started.workspaceId, edit)]
}

/** Records only what is changed. @throws Refusal not_found when there is none, or no longer */
export function editMedia(state: MediaState, edit: MediaEdit): readonly MediaEvent[] {
  if (!isLiveMedia(state)) throw noMedia()
  if (edit.keep === false && state.keep && state.status === 'uploading') {
    throw new Refusal(
      'failed_precondition',
      'keep cannot be false until the upload is complete. Delete the media to cancel it.',
    )
  }
  return edited(state.workspaceId, { ...edit, keep: edit.keep ?? state.keep }, state)
}

function edited(
  workspaceId: string,
  { altText, keep = false }: MediaEdit,
  before: MediaEdit = {},
): readonly MediaEvent[] {
  const isOther = keep !== (before.keep ?? false)
  // Posts give alt texts as well, so one that is given again may still be a change.
  if (altText === undefined && !isOther) return []
  return [
    { type: 'MediaEdited', data: { workspaceId, ...(altText !== undefined && { altText }), ...(isOther && { keep }) } },
  ]
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
  if (state.status === 'absent') throw noMedia()
  return state.status !== 'deleted' ? [{ type: 'MediaDeleted', data: { workspaceId: state.workspaceId, reason } }] : []
}

export function mediaFilesDeleted(state: MediaState): readonly MediaEvent[] {
  return state.status === 'deleted' ? [{ type: 'MediaFilesDeleted', data: {} }] : []
}

function noMedia(): Refusal {
  return new Refusal('not_found', 'No such media.')
}

export function noUpload(): Refusal {
  return new Refusal('not_found', 'No such upload. It may have expired: start another with POST /v1/uploads.')
}
