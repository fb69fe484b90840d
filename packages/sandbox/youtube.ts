import { createHash } from 'node:crypto'
import type { FastifyError } from 'fastify'
import { registerGoogleOAuth } from './google/oauth.ts'
import { issueTokens } from './google/tokens.ts'
import { SandboxRefusal } from './refusal.ts'
import type { StandIn } from './stand-in.ts'
import { newFanComment } from './youtube/comment.ts'
import { registerComments } from './youtube/comments.ts'
import { registerReads } from './youtube/read.ts'
import { googleError, sendGoogleError, type GoogleRefusal } from './youtube/refusal.ts'
import { registerUpload } from './youtube/upload.ts'

const CHANNEL_ID = /^UC[\w-]{22}$/

const SCOPES = [
  'https://www.googleapis.com/auth/youtube.force-ssl',
  'https://www.googleapis.com/auth/youtube.upload',
  'https://www.googleapis.com/auth/yt-analytics.readonly',
] as const

/**
 * YouTube's Data API with Google's consent and token endpoint, for uploads: a session, its chunks, what becomes of the
 * video, the list of uploads; for comments: threads, the replies in one, replying; and for what is counted of videos and
 * channels. The fault `publish` meets the chunk with the last byte, which is the one that makes a video; `reply` meets a
 * reply that is in order, `metrics` a call that asks for statistics.
 *
 * It never sees the media's URL, so what is to go another way than usual is asked for in the description:
 *
 * - `[sandbox refuse=quotaExceeded]`: the session is refused for this reason;
 * - `[sandbox take=262144]`: of each chunk but the last, so many bytes are taken at most;
 * - `[sandbox forget=8388608]`: the session is forgotten once it has so many bytes, complete or not;
 * - `[sandbox processing=5]`: so many looks find the video in process (default 1);
 * - `[sandbox failed=codec]`, `[sandbox rejected=duplicate]`: what the process ends in;
 * - `[sandbox privacy=private]`: what the video gets, whatever was asked for;
 * - `[sandbox hidden=likeCount]`: a number of the video that is not told; in an account's label, `hidden=subscriberCount`.
 *
 * Each handle of up to 22 letters, digits, _ and - is the channel of a stranger, but those that begin with `nobody`.
 *
 * In a fan's comment, `[sandbox refuse=parentCommentIsPrivate]` is the reason that each reply to it is refused with.
 */
export const youtubeStandIn: StandIn = {
  platform: 'youtube',
  newExternalId: (ids) => `UC${createHash('sha256').update(ids.token()).digest('base64url').slice(0, 22)}`,
  issueCredentials: (externalId, deps) => {
    if (!CHANNEL_ID.test(externalId)) {
      throw new SandboxRefusal(400, 'invalid_request', 'externalId: UC and 22 characters of A-Z, a-z, 0-9, - and _')
    }
    return issueTokens(externalId, deps)
  },
  newComment: newFanComment,
  register: (app, deps) => {
    app.removeContentTypeParser('text/plain')
    app.setErrorHandler<FastifyError | GoogleRefusal>((error, _request, reply) => sendGoogleError(error, reply))
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(googleError(404, 'notFound', 'Not Found')))
    registerGoogleOAuth(app, 'youtube', SCOPES, deps)
    registerUpload(app, deps)
    registerReads(app, deps)
    registerComments(app, deps)

    app.get<{ Params: { id: string } }>('/media/:id', (request, reply) => {
      const media = deps.ledger.media('youtube', request.params.id)
      if (!media) return reply.callNotFound()
      const { mediaType, mimeType, bytes, sha256 } = media
      return reply.send({ mediaType, mimeType, bytes, sha256 })
    })
  },
}
