import * as z from 'zod'
import { someMedia } from '../kit/checked-media.ts'
import { hasStatus } from '../kit/errors.ts'
import { PlatformError, type PlatformIo, type Published, type PublishHandle, type PublishJob } from '../kit/platform.ts'
import { pinterestApi, type Api } from './api.ts'
import { pinHandle, type PinHandle } from './handle.ts'
import { pinText } from './text.ts'

/** Pinterest fetches an image during the call. */
export const PUBLISH_TIMEOUT_MS = 60_000

/** Digits as text, as ids exceed the safe integer range. */
export const pinId = z.string().regex(/^\d{1,32}$/)
const pin = z.object({ id: pinId })

/** Codes of 404 errors about something else; any other 404 is about the video. */
const NOT_THE_VIDEO: readonly unknown[] = [40, 50, 2031]

/** The one visible call. */
export async function publishPin(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Published> {
  const handle = pinHandle(given)
  if (!handle || (job.mediaType === 'video') !== (handle.upload !== undefined)) {
    throw new PlatformError('permanent', 'The data prepared for Pinterest could not be read.')
  }
  const api = pinterestApi(job.account.baseUrl, io)
  const { upload } = handle
  const items = someMedia(job)
  if (!upload) return create(job, handle, imagesOf(handle.imageUrls ?? items.map(({ url }) => url)), api)

  const [{ thumbnailUrl }] = items
  if (thumbnailUrl !== undefined) {
    const cover = { cover_image_url: thumbnailUrl }
    return create(job, handle, { source_type: 'video_id', media_id: upload.mediaId, ...cover }, api)
  }

  const withCover = (second: number) => {
    const cover = { cover_image_key_frame_time: second }
    return create(job, handle, { source_type: 'video_id', media_id: upload.mediaId, ...cover }, api)
  }
  try {
    // A refusal created no Pin, so a second call with another cover cannot create a duplicate.
    return await withCover(0).catch((error: unknown) => (refusesCover(error) ? withCover(1) : Promise.reject(error)))
  } catch (error) {
    if (!hasStatus(error, 404) || NOT_THE_VIDEO.includes(error.code)) throw error
    throw new PlatformError('retryable', `Pinterest no longer has the uploaded video: ${error.message}`, {
      cause: error,
    })
  }
}

function imagesOf(urls: readonly string[]): object {
  if (urls.length === 1) return { source_type: 'image_url', url: urls[0] }
  return { source_type: 'multiple_image_urls', items: urls.map((url) => ({ url })) }
}

async function create(job: PublishJob, handle: PinHandle, mediaSource: object, api: Api): Promise<Published> {
  const { boardId, boardSectionId, link, title, altText = someMedia(job)[0].altText } = handle.destination
  const json = {
    board_id: boardId,
    ...(boardSectionId !== undefined && { board_section_id: boardSectionId }),
    ...pinText(job.text),
    ...(title !== undefined && { title }),
    ...(link !== undefined && { link }),
    ...(altText !== undefined && altText !== '' && { alt_text: altText }),
    media_source: mediaSource,
  }
  const call = { method: 'POST', path: '/pins', json, timeoutMs: PUBLISH_TIMEOUT_MS, effect: 'visible' } as const
  return publishedPin((await api(call, pin)).id)
}

export function publishedPin(id: string): Published {
  return { postId: id, url: `https://www.pinterest.com/pin/${id}/` }
}

/** Pinterest refuses the first frame of some videos as the cover. */
function refusesCover(error: unknown): boolean {
  return hasStatus(error, 400) && /cover_image/i.test(error.message)
}
