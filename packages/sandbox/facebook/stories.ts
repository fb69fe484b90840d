import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerPost } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import { pageOf } from '../meta/page.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { directivesOf } from './directives.ts'
import { listUrl, pageQuery } from './page-query.ts'
import { addPost, isShown, listedStories } from './posts.ts'
import { authenticateOwner } from './tokens.ts'
import type { Videos } from './videos.ts'

const photoStory = z.strictObject({ photo_id: z.string() })
const videoStory = z.discriminatedUnion('upload_phase', [
  z.strictObject({ upload_phase: z.literal('start') }),
  z.strictObject({ upload_phase: z.literal('finish'), video_id: z.string() }),
])
const seconds = z.coerce.number().int()
const storiesQuery = z.strictObject({ ...pageQuery, since: seconds.default(0), until: seconds.default(Infinity) })
const FIELDS = 'post_id,status,creation_time,media_type,media_id,url'

const USED = graphRefusal({ code: 100, message: '(#100) It is empty, expired, or was used in a published post' })

/** `POST /{page}/photo_stories` and `/video_stories`, and `GET /{page}/stories`, of a Page that does not archive its stories. */
export function registerStories(app: FastifyInstance, videos: Videos, deps: StandInDeps): void {
  const { ledger } = deps
  const none = new Map<string, number>()

  app.post<ById>('/v26.0/:id/photo_stories', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const { photo_id: mediaId } = decode(photoStory, call.parameters)
    const photo = ledger.media('facebook', mediaId)
    if (photo?.accountId !== accountId || photo.mediaType !== 'image') throw unknownObject(mediaId)
    if (photo.mimeType === 'image/webp') {
      throw graphRefusal({ code: 324, subcode: 2069019, message: 'Missing or invalid image file' })
    }
    if (isShown(mediaId, accountId, deps)) throw USED
    const { sourceUrl: mediaUrl = '' } = photo
    const post = { accountId, mediaId, mediaUrl, mediaType: 'image', text: '', isStory: true } as const
    return answerPage(reply, 'publish', call, deps, () => published(addPost(post, directivesOf(mediaUrl, none), deps)))
  })

  app.post<ById>('/v26.0/:id/video_stories', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const given = decode(videoStory, call.parameters)
    if (given.upload_phase === 'start') {
      const { id } = videos.start(accountId)
      return reply.send({ video_id: id, upload_url: `${deps.baseUrl()}/video-upload/v26.0/${id}` })
    }
    const { video_id: mediaId } = given
    const video = videos.find(mediaId, accountId)
    if (!video) throw unknownObject(mediaId)
    const taken = videos.publishable(video)
    if (!taken) throw USED
    const post = { accountId, mediaId, mediaUrl: taken.url, mediaType: 'video', text: '', isStory: true } as const
    return answerPage(reply, 'publish', call, deps, () => published(addPost(post, taken.directives, deps)))
  })

  app.get<ById>('/v26.0/:id/stories', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId } = call.account
    const { fields = FIELDS, since, until, ...page } = decode(storiesQuery, call.parameters)
    const all = listedStories(externalId, deps).filter(
      (story) => secondsOf(story) >= since && secondsOf(story) <= until,
    )
    const url = listUrl(`${externalId}/stories`, call, deps)
    return reply.send(pageOf(all, { ...page, url }, (story) => pick(shownStory(story), fields)))
  })
}

function published({ id }: LedgerPost): object {
  return { success: true, post_id: id }
}

function secondsOf({ createdAt }: LedgerPost): number {
  return Math.floor(Date.parse(createdAt) / 1_000)
}

function shownStory(story: LedgerPost): Readonly<Record<string, unknown>> {
  return {
    post_id: story.id,
    status: 'PUBLISHED',
    creation_time: String(secondsOf(story)),
    media_type: story.mediaType === 'image' ? 'photo' : 'video',
    media_id: story.token,
    url: `https://facebook.com/stories/${story.id}`,
  }
}
