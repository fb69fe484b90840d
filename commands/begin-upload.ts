import { Refusal } from '../domain/core/errors.ts'
import {
  isLiveMedia,
  type MediaEdit,
  type MediaEvent,
  type MediaState,
  type StartedUpload,
} from '../domain/media/media.ts'
import { UPLOAD_MS, type UploadServices } from '../domain/media/uploads.ts'
import { isoTime, type Clock } from '../infra/runtime/clock.ts'
import type { MediaRoom } from './media-room.ts'
import { startUpload } from './media.ts'

export interface BeginDeps {
  readonly clock: Clock
  readonly mediaRoom: Pick<MediaRoom, 'adding'>
  readonly uploads: Pick<UploadServices, 'maxBytes' | 'fileOf' | 'mustFit'>
}

/**
 * Starts an upload for which there is room.
 *
 * @param append appends to the stream of the media; resolves once the read models show it
 * @param edit what is known of the file from the start
 * @throws Refusal naming the field or the setting
 */
export async function beginUpload(
  { clock, mediaRoom, uploads }: BeginDeps,
  id: string,
  announced: Omit<StartedUpload, 'file' | 'expiresAt'>,
  append: (decide: (state: MediaState) => readonly MediaEvent[]) => Promise<MediaState>,
  edit: MediaEdit = {},
): Promise<Pick<StartedUpload, 'file' | 'expiresAt'>> {
  const { sizeBytes, contentType, workspaceId } = announced
  if (sizeBytes > uploads.maxBytes) {
    const most = `${uploads.maxBytes / 1_000_000} MB`
    throw new Refusal('invalid_request', `sizeBytes is ${sizeBytes}, but the limit is ${most} (UPLOAD_MAX)`)
  }
  const file = uploads.fileOf(id, contentType)
  const started = { ...announced, file, expiresAt: isoTime(clock.now() + UPLOAD_MS) }
  const state = await mediaRoom.adding(workspaceId, id, { name: file, bytes: sizeBytes }, async () => {
    await uploads.mustFit(sizeBytes)
    return append((state) => startUpload(state, started, edit))
  })
  // Those of the first request, if this one repeats it.
  return isLiveMedia(state) ? state : started
}
