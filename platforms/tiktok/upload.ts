import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import type { Api } from './api.ts'
import { chunkAt, planOf, rangeOf } from './chunks.ts'
import type { VideoHandle } from './handle.ts'
import { putChunk } from './put-chunk.ts'
import { standingOf, type Standing } from './status.ts'

/** How long (ms) an upload URL is valid, with a margin; nothing can arrive after that. */
const OVER_AFTER_MS = 65 * 60_000

/** Whether the upload URL has certainly expired. */
export function isOver({ startedAt }: VideoHandle, now: number): boolean {
  return now >= Date.parse(startedAt) + OVER_AFTER_MS
}

/** The error for an upload that certainly was never complete. */
export function brokenOff(why: string, cause?: unknown): PlatformError {
  return new PlatformError('retryable', `The upload to TikTok cannot be resumed: ${why}`, { startOver: true, cause })
}

/** Parts of two different files would make a broken video. @throws PlatformError */
export function mustBeSame({ bytes, type }: VideoHandle, { facts }: SpooledMedia): void {
  if (facts.bytes === bytes && facts.mimeType === type) return
  throw brokenOff(`its file had ${bytes} bytes (${type}) and now has ${facts.bytes} (${facts.mimeType}).`)
}

/** The part of a video to send. */
export interface Part {
  /** How many bytes have arrived. */
  readonly from: number
  /** Index of the chunk to stop before. */
  readonly before: number
  /** Milliseconds since the epoch. No chunk is started after this. */
  readonly until: number
}

/** All chunks but the last, none of which makes the video visible. */
export function hiddenPart(bytes: number, from: number, until: number): Part {
  return { from, before: planOf(bytes).count - 1, until }
}

export function wholePart(bytes: number, from: number): Part {
  return { from, before: planOf(bytes).count, until: Infinity }
}

/** Whether only the last chunk is missing, which makes TikTok publish the video. */
export function isReady(bytes: number, uploadedBytes: number): boolean {
  return chunkAt(uploadedBytes, bytes) === planOf(bytes).count - 1
}

/**
 * Sends a part of a video, in order.
 *
 * @returns the resulting status
 * @throws PlatformError, `ambiguous` if TikTok may have the whole video; any other kind only if it certainly does not
 */
export async function sendPart(
  handle: VideoHandle,
  media: SpooledMedia,
  { from, before, until }: Part,
  api: Api,
  io: PlatformIo,
): Promise<Standing> {
  const { bytes } = handle
  const last = planOf(bytes).count - 1
  let index = chunkAt(from, bytes)
  let stood = false
  while (index < before && io.clock.now() < until) {
    const put = await putChunk(handle, media, rangeOf(index, bytes), io)
    if (put.step === 'taken') {
      if (index === last) return { step: 'working' }
      index += 1
      stood = false
      continue
    }
    const standing = await standingOf(handle, api)
    if (standing.step !== 'uploading') return standing
    if (put.step === 'gone') throw gone(index === last, handle, put.error, io.clock.now())
    // Resume at once, but give up if the same chunk fails twice.
    const next = chunkAt(standing.uploadedBytes, bytes)
    const stands = next <= index
    if (stands && stood) throw put.error
    stood = stands
    index = next
  }
  return { step: 'uploading', uploadedBytes: rangeOf(index, bytes).start }
}

/** The upload may also be gone because its last chunk had already arrived and the status lags behind. */
function gone(wasLast: boolean, handle: VideoHandle, error: PlatformError, now: number): PlatformError {
  return wasLast && !isOver(handle, now) ? error : brokenOff(error.message, error)
}
