import { checkedMedia, wanted } from '../kit/checked-media.ts'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { hasCode } from '../kit/errors.ts'
import { PlatformError, type PlatformIo, type Prepared, type PublishHandle, type PublishJob } from '../kit/platform.ts'
import { announce } from './announce.ts'
import { tiktokApi, type Api } from './api.ts'
import { settingsFor } from './credentials.ts'
import { videoHandle, type VideoHandle } from './handle.ts'
import { brokenRules, TAKES } from './rules.ts'
import { standingOf } from './status.ts'
import { hiddenPart, isOver, isReady, mustBeSame, sendPart } from './upload.ts'

/** How long (ms) one call keeps sending, well within its time limit. The next one resumes from there. */
const SEND_FOR_MS = 10 * 60_000
/** How long (ms) to wait after a send failure. */
const GO_ON_AFTER_MS = 5_000
/** Restart an upload that fails to complete this often: its URL may be dead, and there is no way to check. */
const MOST_HANDED_OVER = 2

/** Initializes the upload and sends all chunks but the last, or resumes an earlier upload. */
export async function prepareVideo(
  job: PublishJob,
  io: PlatformIo,
  earlier: PublishHandle | undefined,
): Promise<Prepared> {
  const api = tiktokApi(job.account, io)
  const known = videoHandle(earlier)
  return (known && (await goneOn(job, known, api, io))) ?? begun(job, api, io)
}

/** @returns undefined if the earlier upload led to no post and never can, so that a new one may be started */
async function goneOn(job: PublishJob, known: VideoHandle, api: Api, io: PlatformIo): Promise<Prepared | undefined> {
  const standing = await standingOf(known, api).catch(noneWhenGone)
  if (!standing || standing.step === 'failed') return undefined
  if (standing.step !== 'uploading') return { outcome: 'ready', handle: known }
  if (isOver(known, io.clock.now()) || known.handedOver >= MOST_HANDED_OVER) return undefined
  if (isReady(known.bytes, standing.uploadedBytes)) return handedOver(known)
  const media = await io.media.spool(job.mediaUrl, wanted({ takes: TAKES }, job, 'video'), io.signal)
  try {
    mustBeSame(known, media)
    return await sent(known, media, standing.uploadedBytes, api, io)
  } catch (error) {
    if (error instanceof PlatformError && error.startOver) return undefined
    throw error
  } finally {
    await media.dispose()
  }
}

function noneWhenGone(error: unknown): undefined {
  if (hasCode(error, 'invalid_publish_id')) return undefined
  throw error
}

async function begun(job: PublishJob, api: Api, io: PlatformIo): Promise<Prepared> {
  const settings = await settingsFor(job, io)
  const media = await checkedMedia({ key: 'tiktok', takes: TAKES, check: brokenRules }, job, io)
  try {
    const handle = await announce(job, media.facts, settings, api, io)
    // Record the handle even if sending fails, to keep the chunks that have arrived.
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
  if (!(error instanceof PlatformError) || error.kind !== 'retryable' || error.startOver) throw error
  return { outcome: 'processing', handle, lookAgainMs: Math.max(GO_ON_AFTER_MS, error.retryAfterMs ?? 0) }
}
