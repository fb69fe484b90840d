import * as z from 'zod'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { hasCode } from '../kit/errors.ts'
import { PlatformError } from '../kit/platform.ts'
import { uploadTimeoutMs } from '../kit/rest.ts'
import type { Session } from './session.ts'
import { xrpc, type XrpcIo } from './xrpc.ts'

/** A record's reference to uploaded bytes. `$link` is their hash, so identical bytes give an identical reference. */
export const blobSchema = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: z.string().min(1) }),
  mimeType: z.string().min(1),
  size: z.int().positive(),
})
export type Blob = z.infer<typeof blobSchema>

/** Repeating an upload is harmless: the server eventually drops blobs that no record references. */
export async function uploadBlob(media: SpooledMedia, session: Session, io: XrpcIo): Promise<Blob> {
  const { bytes, mimeType, mediaType } = media.facts
  const call = {
    host: session.host,
    method: 'POST',
    nsid: 'com.atproto.repo.uploadBlob',
    token: session.accessJwt,
    body: { stream: media.open(), bytes, mimeType },
    timeoutMs: uploadTimeoutMs(bytes),
  } as const
  try {
    return (await xrpc(call, z.object({ blob: blobSchema }), io)).blob
  } catch (error) {
    if (!hasCode(error, 'PayloadTooLarge')) throw error
    const message = `The ${mediaType} has ${bytes} bytes, more than the account's Bluesky server accepts in one upload.`
    throw new PlatformError('permanent', message, { cause: error })
  }
}
