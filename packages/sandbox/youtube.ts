import { createHash } from 'node:crypto'
import { registerGoogleOAuth } from './google/oauth.ts'
import { issueTokens } from './google/tokens.ts'
import { handleErrors } from './stand-in-refusal.ts'
import { mustBeAccountId } from './refusal.ts'
import type { StandIn } from './stand-in.ts'
import { newFanComment } from './youtube/comment.ts'
import { registerComments } from './youtube/comments.ts'
import { registerPlaylists } from './youtube/playlists.ts'
import { registerReads } from './youtube/read.ts'
import { googleError, unexpected } from './youtube/refusal.ts'
import { simulatedCounts } from './youtube/statistics.ts'
import { registerThumbnails } from './youtube/thumbnails.ts'
import { registerUpload } from './youtube/upload.ts'
import { detailsOfPast, newVideoId } from './youtube/video.ts'

const CHANNEL_ID = /^UC[\w-]{22}$/

const SCOPES = [
  'https://www.googleapis.com/auth/youtube.force-ssl',
  'https://www.googleapis.com/auth/youtube.upload',
  'https://www.googleapis.com/auth/youtube.readonly',
  'https://www.googleapis.com/auth/youtube',
  'https://www.googleapis.com/auth/yt-analytics.readonly',
] as const

/**
 * YouTube's Data API with Google's consent and token endpoint. Uploads: with the metadata in one request, or a session and its
 * chunks; the video's processing and thumbnail, the list of uploads, playlists. Comments: threads, the replies in one, commenting, replying. Statistics of videos and channels. The fault `publish` applies to
 * the chunk with the last byte, which creates the video; `reply` to a valid comment or reply, `metrics` to a call that requests statistics.
 * Uploads of a project that is not reviewed, which is Google's audit, are private.
 *
 * YouTube never sees the media's URL, so a test puts directives into the description:
 *
 * - `[sandbox refuse=quotaExceeded]`: the session is refused for this reason;
 * - `[sandbox take=262144]`: of each chunk but the last, at most this many bytes are accepted;
 * - `[sandbox forget=8388608]`: the session is forgotten once it has this many bytes, complete or not;
 * - `[sandbox processing=5]`: looks for which the video is processed (default 1);
 * - `[sandbox failed=codec]`, `[sandbox rejected=duplicate]`: how processing ends;
 * - `[sandbox privacy=private]`: the privacy that the video gets, whatever was requested;
 * - `[sandbox hidden=likeCount]`: a count of the video that is omitted; in an account's label, `hidden=subscriberCount`.
 *
 * Each playlist whose ID begins with PL is the caller's, except those that begin with PLnone.
 *
 * Each handle of up to 22 letters, digits, _ and - is a stranger's channel, except those that begin with `nobody`.
 *
 * In a fan's comment, `[sandbox refuse=parentCommentIsPrivate]` is the reason for which each reply to it is refused.
 */
export const youtubeStandIn: StandIn = {
  platform: 'youtube',
  reviewsApps: true,
  newExternalId: (ids) => `UC${createHash('sha256').update(ids.token()).digest('base64url').slice(0, 22)}`,
  issueCredentials: (externalId, deps) => {
    mustBeAccountId(externalId, CHANNEL_ID, 'UC followed by 22 characters A-Z, a-z, 0-9, - or _')
    return issueTokens(externalId, deps)
  },
  newComment: newFanComment,
  history: {
    identify: ({ caption }, { ids }) => ({ id: newVideoId(ids), details: detailsOfPast(caption) }),
    countsAt: (video, time) => simulatedCounts(video, time),
  },
  register: (app, deps) => {
    app.removeContentTypeParser('text/plain')
    handleErrors(app, unexpected, () => googleError(404, 'notFound', 'Not Found'))
    registerGoogleOAuth(app, 'youtube', SCOPES, deps)
    registerUpload(app, deps)
    registerThumbnails(app, deps)
    registerReads(app, deps)
    registerPlaylists(app, deps)
    registerComments(app, deps)

    app.get<{ Params: { id: string } }>('/media/:id', (request, reply) => {
      const media = deps.ledger.media('youtube', request.params.id)
      if (!media) return reply.callNotFound()
      const { mediaType, mimeType, bytes, sha256 } = media
      return reply.send({ mediaType, mimeType, bytes, sha256 })
    })
  },
}
