import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerMedia, LedgerPost } from '../ledger.ts'
import { graphTime, pick } from '../meta/fields.ts'
import { pageOf } from '../meta/page.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { commentEdge, shownComment, underPost } from './comment-list.ts'
import { madeAt } from './ids.ts'
import { listUrl, pageQuery } from './page-query.ts'
import { pagesRunBy, personOf } from './person.ts'
import { isStory, listed, listedReels, postOf, postText, shortId, shownPost, takesComments } from './posts.ts'
import { authenticate, authenticateOwner, pageTokenFor, type Caller } from './tokens.ts'
import type { Videos } from './videos.ts'

const readQuery = z.strictObject({ fields: z.string().optional() })
const postsQuery = z.strictObject(pageQuery)
const videosQuery = z.strictObject({ ...pageQuery, type: z.enum(['uploaded', 'tagged']).default('tagged') })

/** Meta's client sends the id as well. */
const edited = { id: z.string().optional() }
const postEdit = z.strictObject({ ...edited, message: postText.unwrap() })
const videoEdit = z.strictObject({ ...edited, description: postText.unwrap() })

/** Any object by id, and the Page's lists of posts and of videos. */
export function registerReading(app: FastifyInstance, videos: Videos, deps: StandInDeps): void {
  const { ledger } = deps

  app.get('/v26.0/me', (request, reply) => {
    const { account, kind, parameters } = authenticate(request, deps)
    const person = { id: personOf(account), name: `Owner of ${account.label}` }
    return reply.send(pick(kind === 'accessToken' ? shownPage(account) : person, decode(readQuery, parameters).fields))
  })

  app.get<ById>('/v26.0/:id', async (request, reply) => {
    const call = authenticate(request, deps)
    const { externalId } = call.account
    const { id } = request.params
    const { fields } = decode(readQuery, call.parameters)
    const page = pagesRunBy(call, deps).find((page) => page.externalId === id)
    if (page) {
      return answerPage(reply, 'refresh', call, deps, () =>
        pick({ ...shownPage(page), access_token: pageTokenFor(page, deps) }, fields),
      )
    }
    const post = ledger.post('facebook', id)
    if (post?.accountId === externalId) return reply.send(pick(withComments(post, call), fields))
    const comment = ledger.comment('facebook', id)
    if (comment?.accountId === externalId) return reply.send(pick(shownComment(comment, call, deps), fields))
    const media = ledger.media('facebook', id)
    if (media?.accountId !== externalId) throw unknownObject(id)
    return reply.send(pick(media.mediaType === 'image' ? shownPhoto(media) : await shownVideo(media), fields))
  })

  app.post<ById>('/v26.0/:id', (request, reply) => {
    const caller = authenticate(request, deps)
    const { id } = request.params
    const { externalId } = caller.account
    const video = postOf(id, externalId, deps)
    const post = video?.mediaType === 'video' ? video : ledger.post('facebook', id)
    if (post?.accountId !== externalId) throw unknownObject(id)
    const { parameters } = caller
    const caption = post === video ? decode(videoEdit, parameters).description : decode(postEdit, parameters).message
    return answerPage(reply, 'edit', caller, deps, () => {
      ledger.replacePost({ ...post, caption })
      return { success: true }
    })
  })

  app.delete<ById>('/v26.0/:id', (request, reply) => {
    const caller = authenticate(request, deps)
    const { id } = request.params
    const post = ledger.post('facebook', id)
    if (post?.accountId !== caller.account.externalId) throw unknownObject(id)
    if (isStory(post)) throw graphRefusal({ code: 100, message: '(#100) Unsupported delete request' })
    return answerPage(reply, 'delete', caller, deps, () => {
      ledger.removePost('facebook', id)
      return { success: true }
    })
  })

  app.get<ById>('/v26.0/:id/published_posts', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId } = call.account
    const { fields, ...page } = decode(postsQuery, call.parameters)
    const url = listUrl(`${externalId}/published_posts`, call, deps)
    const all = listed(externalId, deps)
    return reply.send(pageOf(all, { ...page, url }, (post) => pick(withComments(post, call), fields)))
  })

  app.get<ById>('/v26.0/:id/video_reels', async (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId } = call.account
    const { fields, ...page } = decode(postsQuery, call.parameters)
    const url = listUrl(`${externalId}/video_reels`, call, deps)
    const all = await Promise.all(
      listedReels(externalId, deps).map(async (post) => {
        const { token = '' } = post
        const video = videos.find(token, externalId)
        // Reading `status` advances the video; other reads must not.
        const shown = video && fields?.includes('status') ? await shownVideo(video) : {}
        const comments = commentEdge(underPost(token, ledger.commentsUnder('facebook', post.id)), call, deps)
        return { ...shown, id: token, created_time: graphTime(post.createdAt), post_id: shortId(post), comments }
      }),
    )
    return reply.send(pageOf(all, { ...page, url }, (reel) => pick(reel, fields)))
  })

  app.get<ById>('/v26.0/:id/videos', async (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId } = call.account
    const { fields, type, ...page } = decode(videosQuery, call.parameters)
    const all = listed(externalId, deps).flatMap(({ token = '' }) => videos.find(token, externalId) ?? [])
    const shown = await Promise.all(type === 'tagged' ? [] : all.map(shownVideo))
    const url = listUrl(`${externalId}/videos`, call, deps)
    return reply.send(pageOf(shown, { ...page, url }, (video) => pick(video, fields)))
  })

  function shownPage({ externalId: id, label: name }: LedgerAccount): Readonly<Record<string, unknown>> {
    return { id, name, category: 'Bakery', link: `https://www.facebook.com/${id}` }
  }

  /** Some videos accept comments while their posts do not. */
  function withComments(post: LedgerPost, caller: Caller): Readonly<Record<string, unknown>> {
    const comments = takesComments(post) === 'post' ? ledger.commentsUnder('facebook', post.id) : []
    return { ...shownPost(post), comments: commentEdge(underPost(post.id, comments), caller, deps) }
  }

  function shownPhoto({ id, accountId }: LedgerMedia): Readonly<Record<string, unknown>> {
    const post = postOf(id, accountId, deps)
    return { id, page_story_id: post && isStory(post) ? undefined : post?.id }
  }

  async function shownVideo(video: LedgerMedia): Promise<{ id: string } & Readonly<Record<string, unknown>>> {
    const { id, accountId } = video
    const status = await videos.look(video)
    const post = postOf(id, accountId, deps)
    return {
      id,
      status,
      published: post !== undefined,
      post_id: post && shortId(post),
      permalink_url: `/reel/${id}/`,
      created_time: graphTime(isoTime(madeAt(id))),
      description: post?.caption === '' ? undefined : post?.caption,
    }
  }
}
