import type { SpooledMedia } from '../../infra/media/media.ts'
import { withToken } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformIo, type PublishJob } from '../kit/platform.ts'
import { findLost, sessionGone } from './lost-session.ts'
import { probe, sendChunk, type Range, type SessionState, type Upload, type Video } from './session.ts'
import { renewalAt } from './oauth.ts'

/** A multiple of 262,144, as required for all chunks but the last. */
const CHUNK_BYTES = 8 * 1024 * 1024

/**
 * The longest (ms) that one call may take to send the video. Such a long visible call is safe: only the last byte creates
 * the video, an interrupted call leaves a session that knows its progress, and repeating the call cannot create a second
 * video.
 */
export const SEND_TIMEOUT_MS = 30 * 60_000

/** Nothing is sent to a session older than this (ms), which bounds when its last byte can have been sent. */
const SENDABLE_FOR_MS = 24 * 3_600_000
/** After this (ms) the channel certainly lists a new video. */
const LISTED_WITHIN_MS = 15 * 60_000

/**
 * Sends the rest of a video, or finds it complete.
 *
 * @param spool fetches the media again
 * @throws PlatformError, `ambiguous` if there may be a video; any other kind only if there certainly is none
 */
export async function completed(
  job: PublishJob,
  upload: Upload,
  spool: () => Promise<SpooledMedia>,
  io: PlatformIo,
): Promise<Video> {
  let surelyNone = false
  let media: SpooledMedia | undefined
  const ended = async (token: string): Promise<Ended> => {
    const session = await probe(upload, token, io)
    if (session.step !== 'incomplete') return session
    surelyNone = true
    mustBeSendable(upload, io)
    media ??= await sameMedia(upload, await spool())
    return sendMissing(upload, media, session.next, token, io)
  }
  const work = async (token: string, credentials: Credentials): Promise<Video> => {
    const session = await ended(token)
    if (session.step === 'complete') return session.video
    surelyNone = false
    const sureFrom = Date.parse(upload.startedAt) + SENDABLE_FOR_MS + SEND_TIMEOUT_MS + LISTED_WITHIN_MS
    return findLost(job, upload, sureFrom, token, credentials, io)
  }
  try {
    return await withToken(io, renewalAt(job.account.baseUrl), work)
  } catch (error) {
    throw surelyNone ? error : undecided(error)
  } finally {
    await media?.dispose()
  }
}

type Ended = Exclude<SessionState, { step: 'incomplete' }>

/** @returns `complete`, or `gone` if that is the answer to the last byte, which leaves the outcome unknown */
async function sendMissing(
  upload: Upload,
  media: SpooledMedia,
  from: number,
  token: string,
  io: PlatformIo,
): Promise<Ended> {
  let start = from
  let stood = false
  for (;;) {
    const end = Math.min(start + CHUNK_BYTES, upload.bytes)
    const last = end === upload.bytes
    const { session, broke } = await sentOrBroken(upload, media, { start, end }, token, io)
    if (session.step === 'gone' && !last) throw sessionGone()
    if (session.step !== 'incomplete') return session
    // Resume at once after an interrupted or refused chunk, but give up if there is no progress twice in a row.
    const stands = session.next <= start
    if (stands && stood) throw broke ?? new PlatformError('retryable', 'YouTube stopped accepting the video.')
    stood = stands
    start = session.next
  }
}

/** Sends a chunk. If a chunk other than the last is interrupted, asks the session what arrived. */
async function sentOrBroken(
  upload: Upload,
  media: SpooledMedia,
  range: Range,
  token: string,
  io: PlatformIo,
): Promise<{ readonly session: SessionState; readonly broke?: PlatformError }> {
  try {
    return { session: await sendChunk(upload, media, range, token, io) }
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'retryable' || range.end === upload.bytes) throw error
    if (error.accountRests || error.retryAfterMs !== undefined || io.signal.aborted) throw error
    return { session: await probe(upload, token, io), broke: error }
  }
}

function mustBeSendable({ startedAt }: Upload, { clock }: PlatformIo): void {
  if (isSendable(startedAt, clock.now())) return
  throw new PlatformError('retryable', 'The upload was started too long ago to be resumed.', { startOver: true })
}

export function isSendable(startedAt: string, now: number): boolean {
  return now < Date.parse(startedAt) + SENDABLE_FOR_MS
}

/** Parts of two different files would make a broken video. */
async function sameMedia(upload: Upload, media: SpooledMedia): Promise<SpooledMedia> {
  const { bytes, mimeType } = media.facts
  if (bytes === upload.bytes && mimeType === upload.type) return media
  await media.dispose()
  const message = `The video at its URL has changed: it had ${upload.bytes} bytes (${upload.type}) and now has ${bytes} (${mimeType}).`
  throw new PlatformError('retryable', message, { startOver: true })
}

/** While the session's progress is unknown, an earlier call may have completed it, so no failure is final. */
function undecided(error: unknown): unknown {
  if (!(error instanceof PlatformError) || error.kind === 'retryable') return error
  return new PlatformError('ambiguous', error.message, { cause: error })
}
