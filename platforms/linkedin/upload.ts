import * as z from 'zod'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, uploadTimeoutMs } from '../kit/rest.ts'
import { answered, callAs, type Call } from './api.ts'
import { refusedUpload } from './errors.ts'
import { withAccess } from './session.ts'

const imageUpload = z.object({
  value: z.object({ uploadUrl: z.url(), image: z.string().regex(/^urn:li:image:[\w-]{1,128}$/) }),
})
const documentUpload = z.object({
  value: z.object({ uploadUrl: z.url(), document: z.string().regex(/^urn:li:document:[\w-]{1,128}$/) }),
})
const videoUpload = z.object({
  value: z.object({
    video: z.string().regex(/^urn:li:video:[\w-]{1,128}$/),
    uploadToken: z.string().default(''),
    uploadInstructions: z
      .array(z.object({ uploadUrl: z.url(), firstByte: z.int().nonnegative(), lastByte: z.int().nonnegative() }))
      .min(1),
  }),
})
type Part = z.infer<typeof videoUpload>['value']['uploadInstructions'][number]

/**
 * Uploads media for the author. Uploads are invisible, so an interrupted one is simply repeated.
 *
 * @returns the asset's URN
 * @throws PlatformError
 */
export async function upload(media: SpooledMedia, account: PlatformAccount, io: PlatformIo): Promise<string> {
  if (media.facts.mediaType === 'video') return uploadVideo(media, account, io)
  const owner = { owner: account.externalId }
  if (media.facts.mediaType === 'image') {
    const { value } = await action('images', 'initializeUpload', owner, imageUpload, account, io)
    await putWhole(value.uploadUrl, media, account, io)
    return value.image
  }
  const { value } = await action('documents', 'initializeUpload', owner, documentUpload, account, io)
  await putWhole(value.uploadUrl, media, account, io)
  return value.document
}

async function putWhole(url: string, media: SpooledMedia, account: PlatformAccount, io: PlatformIo): Promise<void> {
  const { bytes, mimeType } = media.facts
  const content = { type: mimeType, bytes, open: () => media.open() }
  // This upload URL requires the token, those of a video's parts do not.
  await withAccess(account.baseUrl, io, (token) =>
    answered({ method: 'PUT', url, token, content, timeoutMs: uploadTimeoutMs(bytes) }, refusedUpload, io),
  )
}

async function uploadVideo(media: SpooledMedia, account: PlatformAccount, io: PlatformIo): Promise<string> {
  const request = {
    owner: account.externalId,
    fileSizeBytes: media.facts.bytes,
    uploadCaptions: false,
    uploadThumbnail: false,
  }
  const { value } = await action('videos', 'initializeUpload', request, videoUpload, account, io)
  const { video, uploadToken, uploadInstructions } = value
  mustCover(uploadInstructions, media.facts.bytes)
  const uploadedPartIds: string[] = []
  // Part ids must be listed in order: LinkedIn accepts any order, but scrambles the video.
  for (const part of uploadInstructions) uploadedPartIds.push(await uploadPart(part, media, io))
  await action('videos', 'finalizeUpload', { video, uploadToken, uploadedPartIds }, z.unknown(), account, io)
  return video
}

/** Sends a part, twice if need be, so that one broken connection does not cost the whole upload. @returns its ETag */
async function uploadPart(part: Part, media: SpooledMedia, io: PlatformIo): Promise<string> {
  try {
    return await putPart(part, media, io)
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'retryable' || io.signal.aborted) throw error
    return putPart(part, media, io)
  }
}

async function putPart({ uploadUrl, firstByte, lastByte }: Part, media: SpooledMedia, io: PlatformIo): Promise<string> {
  const end = lastByte + 1
  const bytes = end - firstByte
  const content = { type: 'application/octet-stream', bytes, open: () => media.open({ start: firstByte, end }) }
  const call = { method: 'PUT', url: uploadUrl, content, timeoutMs: uploadTimeoutMs(bytes) } as const
  const { etag } = (await answered(call, refusedUpload, io)).headers
  if (etag) return etag.replace(/^(?:W\/)?"(.*)"$/, '$1')
  throw new PlatformError('retryable', 'LinkedIn accepted a part of the video but returned no ETag for it.')
}

function mustCover(parts: readonly Part[], bytes: number): void {
  const next = parts.reduce(
    (at, { firstByte, lastByte }) => (firstByte === at && lastByte >= at ? lastByte + 1 : NaN),
    0,
  )
  if (next === bytes) return
  throw new PlatformError('retryable', 'LinkedIn requested parts that do not add up to the whole video.')
}

async function action<T>(
  kind: 'images' | 'videos' | 'documents',
  name: 'initializeUpload' | 'finalizeUpload',
  request: object,
  answer: z.ZodType<T>,
  { baseUrl }: PlatformAccount,
  io: PlatformIo,
): Promise<T> {
  const call: Call = { method: 'POST', path: `/rest/${kind}?action=${name}`, json: { [`${name}Request`]: request } }
  const response = await callAs(baseUrl, call, io)
  return bodyOf('linkedin', { ...call, url: call.path }, response, answer)
}
