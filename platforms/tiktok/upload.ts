import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import type { Api } from './api.ts'
import { chunkAt, planOf, rangeOf } from './chunks.ts'
import type { VideoHandle } from './handle.ts'
import { putChunk } from './put-chunk.ts'
import { standingOf, type Standing } from './status.ts'

/** How long (ms) an upload URL is good for, with a margin: afterwards nothing can arrive any more. */
const OVER_AFTER_MS = 65 * 60_000

/** Whether nothing can be added to an upload any more. */
export function isOver({ startedAt }: VideoHandle, now: number): boolean {
  return now >= Date.parse(startedAt) + OVER_AFTER_MS
}

/** For an upload that surely never was complete. */
export function brokenOff(why: string, cause?: unknown): PlatformError {
  return new PlatformError('retryable', `The upload to TikTok can not be gone on with: ${why}`, { anew: true, cause })
}

/** Parts of two files would make one broken video. @throws PlatformError */
export function mustBeSame({ bytes, type }: VideoHandle, { facts }: SpooledMedia): void {
  if (facts.bytes === bytes && facts.mimeType === type) return
  throw brokenOff(`its file had ${bytes} bytes (${type}), now it has ${facts.bytes} (${facts.mimeType}).`)
}

/** What of a video to send. */
export interface Part {
  /** So many bytes have arrived. */
  readonly from: number
  /** The chunk to stop before. */
  readonly before: number
  /** Milliseconds since the epoch: after it no chunk is begun. */
  readonly until: number
}

/** All chunks but the last, which nobody sees. */
export function hiddenPart(bytes: number, from: number, until: number): Part {
  return { from, before: planOf(bytes).count - 1, until }
}

export function wholePart(bytes: number, from: number): Part {
  return { from, before: planOf(bytes).count, until: Infinity }
}

/** Whether only the chunk is missing that has TikTok publish the video. */
export function isReady(bytes: number, uploadedBytes: number): boolean {
  return chunkAt(uploadedBytes, bytes) === planOf(bytes).count - 1
}

/**
 * Sends a part of a video, in order.
 *
 * @returns how it stands then
 * @throws PlatformError, `ambiguous` when TikTok may have all of it; anything else only where it surely has not
 */
export async function sendPart(
  handle: VideoHandle,
  media: SpooledMedia,
  { from, before, until }: Part,
  api: Api,
  io: PlatformIo,
): Promise<Standing> {
  const { bytes, publishId } = handle
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
    const standing = await standingOf(publishId, bytes, api)
    if (standing.step !== 'uploading') return standing
    if (put.step === 'gone') throw gone(index === last, handle, put.error, io.clock.now())
    // Going on at once is worth it, but not twice at the same place.
    const next = chunkAt(standing.uploadedBytes, bytes)
    const stands = next <= index
    if (stands && stood) throw put.error
    stood = stands
    index = next
  }
  return { step: 'uploading', uploadedBytes: rangeOf(index, bytes).start }
}

/** An upload may also be gone because its last chunk arrived earlier, and the status not have caught up with it. */
function gone(wasLast: boolean, handle: VideoHandle, error: PlatformError, now: number): PlatformError {
  return wasLast && !isOver(handle, now) ? error : brokenOff(error.message, error)
}
