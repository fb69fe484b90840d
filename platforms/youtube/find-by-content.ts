import { checkedOptions } from '../kit/checked-options.ts'
import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import { withToken } from '../kit/oauth-token.ts'
import {
  PlatformError,
  type OtherPosts,
  type PlatformIo,
  type Published,
  type PublishJob,
  type Search,
} from '../kit/platform.ts'
import { kept, settingsOf } from './credentials.ts'
import { videoOptions, videoText } from './options.ts'
import { outcomeOf } from './processing.ts'
import { renewalAt } from './oauth.ts'
import { CLOCKS_APART_MS, isAlike, uploadsSince, type ListedVideo } from './uploads.ts'

/**
 * Looks for the video among the channel's uploads. It is not documented whether the list includes videos that are not
 * public, so the absence of one proves nothing.
 *
 * @throws PlatformError if a later search may give an answer
 */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  return unlessRefused(async () => {
    const credentials = await io.credentials.read()
    const { uploadsPlaylistId } = kept(credentials)
    const options = checkedOptions(videoOptions, job)
    const { privacyStatus } = settingsOf(credentials, options)
    const text = videoText(job.text, options)
    if (uploadsPlaylistId === undefined) return { outcome: 'unknown' }
    const { videos, isWhole } = await withToken(io, renewalAt(job.account.baseUrl), (token) =>
      uploadsSince(uploadsPlaylistId, since - CLOCKS_APART_MS, job.account, token, io),
    )
    const alike = videos.filter((video) => isAlike(video, text))
    const telling = {
      // The last chunk of an upload may arrive long after the upload began, so the time cannot identify the post.
      listed: ({ id }: ListedVideo) => ({ id }),
      published: (video: ListedVideo) => publishedAs(video, privacyStatus, job, io),
    }
    // Other posts are compared by their captions, which do not tell videos with other descriptions apart.
    const telltale = { text: options.description === undefined ? job.text : '' }
    const search = await theOne(telltale, { alike, isWhole }, telling, others)
    return search.outcome === 'absent' && privacyStatus !== 'public' ? { outcome: 'unknown' } : search
  })
}

/** @throws PlatformError, `permanent` if YouTube could not process the video */
async function publishedAs(
  video: ListedVideo,
  privacyStatus: string,
  job: PublishJob,
  io: PlatformIo,
): Promise<Published> {
  const outcome = await outcomeOf(video, { privacyStatus }, job, io)
  if (outcome.outcome === 'published') return outcome.published
  throw new PlatformError('retryable', 'YouTube is still processing the video.', { retryAfterMs: outcome.lookAgainMs })
}
