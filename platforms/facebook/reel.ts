import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { isStory } from '../meta/placement.ts'
import { PlatformError, type PublishJob } from '../kit/platform.ts'
import { jsonOf, quoted, send, uploadTimeoutMs, type RestIo } from '../kit/rest.ts'
import { errorOf, graph } from './api.ts'
import type { ReelHandle } from './handle.ts'
import { plainId } from '../kit/plain-id.ts'

const PUBLISH_TIMEOUT_MS = 30_000
/** Facebook may fetch the whole video before it responds, but no longer than the work may take. */
const MOST_TRANSFER_MS = 10 * 60_000

const started = z.object({ video_id: plainId, upload_url: z.url({ protocol: /^https?$/ }) })
const success = z.object({ success: z.literal(true) })
const refusal = z.object({
  debug_info: z.object({ retriable: z.boolean().catch(false), message: z.string().catch('') }),
})

/** Result of a video transfer. `failed`: another video may succeed. */
export type Transfer = { readonly outcome: 'taken' } | { readonly outcome: 'failed'; readonly why: string }

/** Starts the upload of a reel, or of the video of a story. @throws PlatformError */
export async function startReel(
  job: PublishJob,
  session: Session,
  io: RestIo,
): Promise<{ videoId: string; uploadUrl: string }> {
  const path = `/${job.account.externalId}/${isStory(job) ? 'video_stories' : 'video_reels'}`
  const call = { method: 'POST', path, form: { upload_phase: 'start' } } as const
  const { video_id: videoId, upload_url: uploadUrl } = await graph(session, call, started, io)
  return { videoId, uploadUrl }
}

/**
 * Has Facebook fetch the video.
 *
 * @throws PlatformError
 */
export async function transferReel(
  mediaUrl: string,
  { uploadUrl, bytes }: Pick<ReelHandle, 'uploadUrl' | 'bytes'>,
  { token }: Session,
  io: RestIo,
): Promise<Transfer> {
  const call = {
    method: 'POST',
    url: uploadUrl,
    // This host has its own authorization scheme.
    headers: { authorization: `OAuth ${token}`, file_url: new URL(mediaUrl).href },
    timeoutMs: Math.min(uploadTimeoutMs(bytes), MOST_TRANSFER_MS),
  } as const
  const response = await send('facebook', call, io)
  if (response.status === 401) throw errorOf('token')
  const body = jsonOf(response)
  if (success.safeParse(body).success) return { outcome: 'taken' }
  const parsed = refusal.safeParse(body)
  if (!parsed.success) {
    throw new PlatformError(
      'retryable',
      `Facebook responded to the video with HTTP ${response.status} and gave no reason.`,
    )
  }
  const { retriable, message } = parsed.data.debug_info
  const why = `Facebook could not fetch the video from its URL: ${quoted(message.replaceAll(token, '…'))}`
  if (!retriable) throw new PlatformError('permanent', why)
  return { outcome: 'failed', why }
}

/**
 * The visible call. Facebook keeps processing after it.
 *
 * @throws PlatformError
 */
export async function finishReel(
  { account, text }: PublishJob,
  videoId: string,
  session: Session,
  io: RestIo,
): Promise<void> {
  const form = {
    upload_phase: 'finish',
    video_id: videoId,
    video_state: 'PUBLISHED',
    ...(text !== '' && { description: text }),
  }
  const path = `/${account.externalId}/video_reels`
  const call = { method: 'POST', path, form, effect: 'visible', timeoutMs: PUBLISH_TIMEOUT_MS } as const
  await graph(session, call, success, io)
}
