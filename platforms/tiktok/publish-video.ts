import { wanted } from '../kit/checked-media.ts'
import {
  PlatformError,
  type PlatformIo,
  type PublishHandle,
  type Publishing,
  type PublishJob,
} from '../kit/platform.ts'
import { tiktokApi, type Api } from './api.ts'
import { unreadable, videoHandle, type VideoHandle } from './handle.ts'
import { outcomeOf, patiently } from './outcome.ts'
import { TAKES } from './rules.ts'
import { standingOf, type Standing } from './status.ts'
import { brokenOff, isOver, mustBeSame, sendPart, wholePart } from './upload.ts'

/**
 * Sends the rest of a video, or checks its status. Its publish id stands for one post however often chunks are sent, so
 * repeating the call is harmless.
 *
 * @throws PlatformError, of a kind other than `ambiguous` only if there certainly is no post
 */
export async function publishVideo(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Publishing> {
  const handle = videoHandle(given)
  if (!handle) throw unreadable()
  return patiently(handle.startedAt, io.clock.now(), async () => {
    const api = tiktokApi(job.account, io)
    const before = await standingOf(handle, api).catch(asUndecided)
    const standing = before.step === 'uploading' ? await sent(job, handle, before.uploadedBytes, api, io) : before
    if (standing.step === 'failed') throw standing.error
    return outcomeOf(standing, handle, 'video', io.clock.now())
  })
}

/** While the status is unknown, an earlier call may have completed the post, so no failure is final. */
function asUndecided(error: unknown): never {
  if (!(error instanceof PlatformError) || error.kind === 'retryable') throw error
  throw new PlatformError('ambiguous', error.message, { cause: error })
}

async function sent(
  job: PublishJob,
  handle: VideoHandle,
  uploadedBytes: number,
  api: Api,
  io: PlatformIo,
): Promise<Standing> {
  if (isOver(handle, io.clock.now())) throw brokenOff('its URL was valid for an hour and has expired.')
  const media = await io.media.spool(job.mediaUrl, wanted({ takes: TAKES }, job, 'video'), io.signal)
  try {
    mustBeSame(handle, media)
    return await sendPart(handle, media, wholePart(handle.bytes, uploadedBytes), api, io)
  } finally {
    await media.dispose()
  }
}
