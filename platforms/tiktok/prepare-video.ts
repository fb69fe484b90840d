import { checkedMedia } from '../kit/checked-media.ts'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError, type PlatformIo, type Prepared, type PublishHandle, type PublishJob } from '../kit/platform.ts'
import { announce } from './announce.ts'
import { tiktokApi, type Api } from './api.ts'
import { TikTokError } from './errors.ts'
import { videoHandle, type VideoHandle } from './handle.ts'
import { brokenRules, TAKES } from './rules.ts'
import { standingOf } from './status.ts'
import { hiddenPart, isOver, isReady, mustBeSame, sendPart } from './upload.ts'

/** So long (ms) one call sends, well within the time it has. What was sent by then counts. */
const SEND_FOR_MS = 10 * 60_000
/** After a failure to send (ms). */
const GO_ON_AFTER_MS = 5_000
/** An upload that never came to its end is begun anew: its URL may be of no use any more, which can't be asked. */
const MOST_HANDED_OVER = 2

/** Announces the video and sends all but its last chunk, or goes on with what was sent before. */
export async function prepareVideo(
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  const api = tiktokApi(job.account, io)
  const known = videoHandle(earlier)
  return (known && (await goneOn(job, known, api, io))) ?? begun(job, api, io)
}

/** @returns undefined when there surely is no post, and none can come of it: another may be begun */
async function goneOn(job: PublishJob, known: VideoHandle, api: Api, io: PlatformIo): Promise<Prepared | undefined> {
  const standing = await standingOf(known.publishId, known.bytes, api).catch(noneWhenGone)
  if (!standing || standing.step === 'failed') return undefined
  if (standing.step !== 'uploading') return { outcome: 'ready', handle: known }
  if (isOver(known, io.clock.now()) || known.handedOver >= MOST_HANDED_OVER) return undefined
  if (isReady(known.bytes, standing.uploadedBytes)) return handedOver(known)
  const { mediaType, mediaUrl } = job
  const media = await io.media.spool(mediaUrl, { mediaType, maxBytes: TAKES.video.maxBytes }, io.signal)
  try {
    mustBeSame(known, media)
    return await sent(known, media, standing.uploadedBytes, api, io)
  } catch (error) {
    if (error instanceof PlatformError && error.anew) return undefined
    throw error
  } finally {
    await media.dispose()
  }
}

function noneWhenGone(error: unknown): undefined {
  if (error instanceof TikTokError && error.code === 'invalid_publish_id') return undefined
  throw error
}

async function begun(job: PublishJob, api: Api, io: PlatformIo): Promise<Prepared> {
  const media = await checkedMedia({ key: 'tiktok', takes: TAKES, check: brokenRules }, job, io)
  try {
    const handle = await announce(job, media.facts, api, io)
    // What has arrived before a failure is worth more than the attempt: the handle is recorded first.
    return await sent(handle, media, 0, api, io).catch((error: unknown) => laterWhenPassing(handle, error))
  } finally {
    await media.dispose()
  }
}

async function sent(
  handle: VideoHandle,
  media: SpooledMedia,
  from: number,
  api: Api,
  io: PlatformIo,
): Promise<Prepared> {
  const part = hiddenPart(handle.bytes, from, io.clock.now() + SEND_FOR_MS)
  const standing = await sendPart(handle, media, part, api, io)
  if (standing.step === 'failed') throw standing.error
  if (standing.step !== 'uploading' || isReady(handle.bytes, standing.uploadedBytes)) return handedOver(handle)
  return { outcome: 'processing', handle, lookAgainMs: 0 }
}

function handedOver(handle: VideoHandle): Prepared {
  return { outcome: 'ready', handle: { ...handle, handedOver: handle.handedOver + 1 } }
}

function laterWhenPassing(handle: VideoHandle, error: unknown): Prepared {
  if (!(error instanceof PlatformError) || error.kind !== 'retryable' || error.anew) throw error
  return { outcome: 'processing', handle, lookAgainMs: Math.max(GO_ON_AFTER_MS, error.retryAfterMs ?? 0) }
}
