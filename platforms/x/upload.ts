import * as z from 'zod'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { multipart } from '../kit/multipart.ts'
import { plainId } from '../kit/plain-id.ts'
import type { PlatformAccount, PlatformIo, PublishJob } from '../kit/platform.ts'
import { uploadTimeoutMs } from '../kit/rest.ts'
import { callAs, idSchema, twiceAtMost } from './call.ts'
import { missingScope } from './errors.ts'
import { isAnimated } from './gif.ts'
import { processingInfo, stateOf, type MediaState } from './processing.ts'

export interface Upload {
  readonly id: string
  readonly key: string
  /** Milliseconds until X forgets the upload. */
  readonly expiresInMs: number
  readonly state: MediaState
}

/** X's own samples send 1 to 4 MB per chunk, and it numbers at most 1,000 of them. */
const CHUNK = { usualBytes: 4_000_000, most: 1_000 }
const DAY_S = 86_400

const finished = z.object({
  data: z.object({
    id: idSchema,
    media_key: plainId.optional(),
    expires_after_secs: z.number().positive().default(DAY_S),
    processing_info: processingInfo.optional(),
  }),
})
const started = z.object({ data: z.object({ id: idSchema }) })
const anything = z.unknown()

/**
 * Uploads the media. X takes media that need processing, videos and animated GIFs, in chunks only.
 *
 * @throws PlatformError
 */
export async function upload(media: SpooledMedia, account: PlatformAccount, io: PlatformIo): Promise<Upload> {
  try {
    return await uploaded(media, account, io)
  } catch (error) {
    throw missingScope(error) ?? error
  }
}

async function uploaded(media: SpooledMedia, account: PlatformAccount, io: PlatformIo): Promise<Upload> {
  const { mediaType, mimeType } = media.facts
  if (mediaType === 'video') return inParts(media, 'tweet_video', account, io)
  const animated = mimeType === 'image/gif' && (await isAnimated(media.open()))
  return animated ? inParts(media, 'tweet_gif', account, io) : atOnce(media, account, io)
}

/** Sets the alt text of an upload. Repeating it is harmless. */
export async function setAltText(id: string, text: string, { account }: PublishJob, io: PlatformIo): Promise<void> {
  const call = { method: 'POST', path: '/2/media/metadata', json: { id, metadata: { alt_text: { text } } } } as const
  try {
    await callAs(account, call, anything, io)
  } catch (error) {
    throw missingScope(error) ?? error
  }
}

async function atOnce(media: SpooledMedia, account: PlatformAccount, io: PlatformIo): Promise<Upload> {
  const { mimeType: type, bytes } = media.facts
  const file = { name: 'media', fileName: 'media', type, bytes, open: () => media.open() }
  const call = {
    method: 'POST',
    path: '/2/media/upload',
    content: multipart({ media_category: 'tweet_image' }, file),
    timeoutMs: uploadTimeoutMs(bytes),
  } as const
  return uploadIn(await callAs(account, call, finished, io))
}

async function inParts(
  media: SpooledMedia,
  media_category: 'tweet_video' | 'tweet_gif',
  account: PlatformAccount,
  io: PlatformIo,
): Promise<Upload> {
  const { mimeType: media_type, bytes: total_bytes } = media.facts
  const json = { media_type, total_bytes, media_category }
  const { data } = await callAs(account, { method: 'POST', path: '/2/media/upload/initialize', json }, started, io)
  const path = `/2/media/upload/${data.id}`
  const chunkBytes = Math.max(CHUNK.usualBytes, Math.ceil(total_bytes / CHUNK.most))
  for (let start = 0, index = 0; start < total_bytes; start += chunkBytes, index += 1) {
    const end = Math.min(start + chunkBytes, total_bytes)
    const open = () => media.open({ start, end })
    const file = { name: 'media', fileName: 'media', type: 'application/octet-stream', bytes: end - start, open }
    const call = {
      method: 'POST',
      path: `${path}/append`,
      content: multipart({ segment_index: String(index) }, file),
      timeoutMs: uploadTimeoutMs(end - start),
    } as const
    // Resending a chunk under the same index is harmless, and a lost chunk should not cost the whole upload.
    await twiceAtMost(() => callAs(account, call, anything, io))
  }
  return uploadIn(await callAs(account, { method: 'POST', path: `${path}/finalize` }, finished, io))
}

function uploadIn({ data }: z.infer<typeof finished>): Upload {
  // X guarantees only the id, which is also the part of the key that identifies the upload.
  const { id, media_key: key = id, expires_after_secs: seconds, processing_info: info } = data
  return { id, key, expiresInMs: seconds * 1_000, state: stateOf(info) }
}
