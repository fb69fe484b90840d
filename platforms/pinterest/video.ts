import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import { hasStatus } from '../kit/errors.ts'
import { PlatformError, type PlatformIo, type Prepared } from '../kit/platform.ts'
import type { Api } from './api.ts'
import type { PinHandle, Upload } from './handle.ts'

/** Poll every 5 s for a minute, then more slowly, and give up after 10 minutes. */
const SLOWER_AFTER_MS = 60_000
const LOOK_AGAIN_MS = 5_000
const LOOK_AGAIN_SLOWER_MS = 12_000
const GIVE_UP_AFTER_MS = 10 * 60_000

/** How often to upload one video if Pinterest loses it each time. */
const MOST_UPLOADS = 3

const mediaStatus = z.object({ status: z.string() })

export type Look =
  | { readonly outcome: 'ready' }
  | { readonly outcome: 'processing'; readonly lookAgainMs: number }
  /** Pinterest does not know the video, or no longer does. */
  | { readonly outcome: 'gone' }

/** The processing state of an uploaded video. @throws PlatformError if processing failed or timed out */
export async function look({ mediaId, uploadedAt }: Upload, api: Api, { clock }: PlatformIo): Promise<Look> {
  const status = await statusOf(mediaId, api)
  if (status === undefined) return { outcome: 'gone' }
  if (status === 'succeeded') return { outcome: 'ready' }
  if (status === 'failed') throw new PlatformError('permanent', 'Pinterest could not process the video.')
  const elapsed = clock.now() - Date.parse(uploadedAt)
  if (elapsed >= GIVE_UP_AFTER_MS) {
    throw new PlatformError('permanent', 'Pinterest did not finish processing the video within 10 minutes.')
  }
  return { outcome: 'processing', lookAgainMs: elapsed < SLOWER_AFTER_MS ? LOOK_AGAIN_MS : LOOK_AGAIN_SLOWER_MS }
}

async function statusOf(mediaId: string, api: Api): Promise<string | undefined> {
  try {
    return (await api({ method: 'GET', path: `/media/${mediaId}` }, mediaStatus)).status
  } catch (error) {
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}

/** The result of a completed upload, recorded before the first status check. */
export function toProcess(
  handle: PinHandle,
  mediaId: string,
  earlier: Upload | undefined,
  { clock }: PlatformIo,
): Prepared {
  const upload = { mediaId, uploadedAt: isoTime(clock.now()), uploads: (earlier?.uploads ?? 0) + 1 }
  return { outcome: 'processing', lookAgainMs: LOOK_AGAIN_MS, handle: { ...handle, upload } }
}

/** @throws PlatformError if Pinterest has lost the video too often */
export function mustBeWorthUploading(earlier: Upload | undefined): void {
  if (!earlier || earlier.uploads < MOST_UPLOADS) return
  throw new PlatformError('permanent', `Pinterest lost the uploaded video ${MOST_UPLOADS} times.`)
}
