import { checkedOptions } from '../kit/checked-options.ts'
import { PlatformError, type Credentials, type PublishJob } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { kept } from './credentials.ts'
import { isExpired } from './errors.ts'
import { videoOptions, videoText } from './options.ts'
import type { Upload, Video } from './session.ts'
import { CLOCKS_APART_MS, isAlike, uploadsSince, type ListedVideo } from './uploads.ts'

/** A wider margin, used where a video must not be missed. */
const CLOCKS_FAR_APART_MS = 86_400_000

/**
 * Searches the channel's uploads for the video of a session that YouTube has forgotten and that may have been complete.
 *
 * @param absentIsSureFrom milliseconds since the epoch; from then on a published video would certainly be listed
 * @throws PlatformError `ambiguous` if the list is inconclusive; `retryable` with `startOver` if there certainly is no video
 */
export async function findLost(
  job: PublishJob,
  upload: Upload,
  absentIsSureFrom: number,
  token: string,
  credentials: Credentials,
  io: RestIo,
): Promise<Video> {
  const startedAt = Date.parse(upload.startedAt)
  const { uploadsPlaylistId } = kept(credentials)
  const uploads = await listed(job, uploadsPlaylistId, startedAt - CLOCKS_FAR_APART_MS, token, io)
  const text = videoText(job.text, checkedOptions(videoOptions, job))
  const alike = uploads.filter((video) => isAlike(video, text))
  const [found, ...others] = alike.filter(({ publishedAt }) => Date.parse(publishedAt) >= startedAt - CLOCKS_APART_MS)
  if (found && others.length === 0) return found
  if (alike.length > 0) throw unknown(`the channel has ${alike.length} videos that may be this one`)
  if (io.clock.now() < absentIsSureFrom) throw unknown('the channel does not list the video yet')
  throw sessionGone()
}

/** The error for a session that certainly was not complete. */
export function sessionGone(): PlatformError {
  return new PlatformError('retryable', 'YouTube lost the upload before it was complete.', { startOver: true })
}

async function listed(
  job: PublishJob,
  playlistId: string | undefined,
  since: number,
  token: string,
  io: RestIo,
): Promise<readonly ListedVideo[]> {
  if (playlistId === undefined) throw unknown('the channel has no list of uploads')
  const uploads = await uploadsSince(playlistId, since, job.account, token, io).catch((error: unknown) => {
    if (!(error instanceof PlatformError) || isExpired(error)) throw error
    throw unknown(error.message, error)
  })
  if (!uploads.isWhole) throw unknown("the channel's list of uploads is too long")
  return uploads.videos
}

function unknown(why: string, cause?: unknown): PlatformError {
  const message = `YouTube lost the upload, which may have been complete: ${why}`
  return new PlatformError('ambiguous', message, { cause })
}
