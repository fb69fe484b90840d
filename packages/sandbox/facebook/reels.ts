import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { directivesOf } from './directives.ts'
import { addPost, postText } from './posts.ts'
import { authenticateOwner } from './tokens.ts'
import type { Videos } from './videos.ts'

const DAY_MS = 86_400_000

const phase = z.discriminatedUnion('upload_phase', [
  z.strictObject({ upload_phase: z.literal('start') }),
  z.strictObject({
    upload_phase: z.literal('finish'),
    video_id: z.string(),
    video_state: z.literal('PUBLISHED'),
    description: postText,
    title: z.string().optional(),
  }),
])
const newVideo = z.strictObject({
  file_url: z.url({ protocol: /^https?$/ }),
  published: z.literal('true').optional(),
  description: postText,
  title: z.string().optional(),
})

/**
 * `POST /{page}/video_reels` and `/videos`.
 *
 * @param reelsPerDay how many videos a Page may publish in 24 hours
 */
export function registerReels(app: FastifyInstance, videos: Videos, deps: StandInDeps, reelsPerDay: number): void {
  const { ledger, clock } = deps
  const used = new Map<string, number>()
  const mustHaveQuota = (accountId: string): void => {
    const from = clock.now() - DAY_MS
    const recent = ledger
      .posts('facebook', { accountId })
      .filter(({ mediaType, createdAt }) => mediaType === 'video' && Date.parse(createdAt) > from)
    // Facebook does not document the code.
    if (recent.length >= reelsPerDay) throw graphRefusal({ code: 613, message: 'Too many reels in 24 hours' })
  }

  app.post<ById>('/v26.0/:id/video_reels', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const given = decode(phase, call.parameters)
    if (given.upload_phase === 'start') {
      const { id } = videos.start(accountId)
      return reply.send({ video_id: id, upload_url: `${deps.baseUrl()}/video-upload/v26.0/${id}` })
    }
    const { video_id: mediaId, description: text = '' } = given
    const video = videos.find(mediaId, accountId)
    if (!video) throw unknownObject(mediaId)
    const taken = videos.publishable(video)
    if (!taken) throw graphRefusal({ code: 100, message: '(#100) The video is empty, expired, or was published' })
    mustHaveQuota(accountId)
    return answerPage(reply, 'publish', call, deps, () => {
      const post = { accountId, mediaId, mediaUrl: taken.url, text, isReel: true } as const
      addPost({ ...post, mediaType: 'video' }, taken.directives, deps)
      return { success: true }
    })
  })

  app.post<ById>('/v26.0/:id/videos', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId: accountId } = call.account
    const { file_url: mediaUrl, description: text = '' } = decode(newVideo, call.parameters)
    const directives = directivesOf(mediaUrl, used)
    if (directives.fetch !== undefined) {
      throw graphRefusal({ code: 389, message: 'Unable to fetch video file from URL' })
    }
    return answerPage(reply, 'publish', call, deps, () => {
      const video = videos.start(accountId)
      videos.take(video, mediaUrl, directives)
      addPost({ accountId, mediaId: video.id, mediaType: 'video', mediaUrl, text }, directives, deps)
      return { id: video.id }
    })
  })
}
