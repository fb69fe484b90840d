import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Answer } from '../answer.ts'
import type { LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Assets } from './assets.ts'
import { answer } from './answer.ts'
import { number } from './identity.ts'
import { shownText } from './little.ts'
import { decode, refuse } from './refusal.ts'
import { callerOf, mayPost, mayRead, mustBe, mustBeEncoded, mustBePages } from './request.ts'

const TEXT_LIMIT = 3_000
const REPEAT_WINDOW_MS = 10 * 60_000

const newPost = z.strictObject({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  distribution: z.strictObject({
    feedDistribution: z.enum(['MAIN_FEED', 'NONE']),
    targetEntities: z.array(z.unknown()),
    thirdPartyDistributionChannels: z.array(z.unknown()),
  }),
  content: z.strictObject({
    media: z.strictObject({ id: z.string(), title: z.string().optional(), altText: z.string().max(4_086).optional() }),
  }),
  lifecycleState: z.literal('PUBLISHED'),
  isReshareDisabledByAuthor: z.boolean(),
})
type NewPost = z.infer<typeof newPost>

const listing = z.strictObject({
  q: z.literal('author'),
  author: z.string(),
  count: z.coerce.number().int().min(1).max(100).default(10),
  start: z.coerce.number().int().min(0).default(0),
  sortBy: z.enum(['LAST_MODIFIED', 'CREATED']).default('LAST_MODIFIED'),
})
const detailsSchema = z.object({ commentary: z.string(), media: z.string(), createdAt: z.number() })

/** `POST /rest/posts`, and the listing of an author's own posts. */
export function registerPosts(app: FastifyInstance, assets: Assets, deps: StandInDeps): void {
  const { ledger, ids, clock } = deps

  const commit = ({ author, commentary, content }: NewPost): Answer => {
    const urn = `urn:li:share:${number(ids.token())}`
    const createdAt = clock.now()
    ledger.addPost({
      id: urn,
      platform: 'linkedin',
      accountId: author,
      token: content.media.id,
      caption: shownText(commentary),
      mediaUrl: `${deps.baseUrl()}/media/${encodeURIComponent(content.media.id)}`,
      mediaType: content.media.id.startsWith('urn:li:video:') ? 'video' : 'image',
      createdAt: isoTime(createdAt),
      details: { commentary, media: content.media.id, createdAt },
    })
    return { status: 201, headers: { 'x-restli-id': urn }, body: '' }
  }

  app.post('/rest/posts', (request, reply) => {
    const caller = callerOf(request, deps)
    const post = decode(newPost, request.body)
    mayPost(caller, post.author, 'author', deps)
    if (shownText(post.commentary).length > TEXT_LIMIT) {
      throw refuse(400, 'FIELD_LENGTH_TOO_LONG', `ERROR :: /commentary :: length is over ${TEXT_LIMIT}`)
    }
    mustBePostable(post, assets)
    mustBeNew(post, deps)
    return answer(reply, 'publish', caller, deps, () => commit(post))
  })

  app.delete<{ Params: { urn: string } }>('/rest/posts/:urn', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    const { urn } = request.params
    const post = ledger.post('linkedin', urn)
    if (!post) throw refuse(404, 'RESOURCE_NOT_FOUND', 'No virtual resource found')
    mayPost(caller, post.accountId, 'author', deps)
    ledger.removePost('linkedin', urn)
    return reply.code(204).send()
  })

  app.get('/rest/posts', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    const { author, start, count } = decode(listing, request.query)
    if (request.headers['x-restli-method']?.toString().toUpperCase() !== 'FINDER') {
      throw refuse(400, 'ILLEGAL_ARGUMENT', 'X-RestLi-Method must be FINDER')
    }
    mayRead(caller, 'posts.FINDER-author')
    mustBe(caller, author, 'author', deps)
    mustBePages(author, 'posts.FINDER-author')
    const posts = ledger.posts('linkedin', { accountId: author }).toReversed()
    const elements = posts.slice(start, start + count).map(shown)
    return reply.send({ elements, paging: { start, count, links: [], total: posts.length } })
  })
}

function shown({ id, accountId, details }: LedgerPost): object {
  const { commentary, media, createdAt } = detailsSchema.parse(details)
  return {
    id,
    author: accountId,
    // LinkedIn rewrites hashtags in its own notation.
    commentary: commentary.replace(/(?<!\\)#([\p{L}\p{N}\p{M}]+)/gu, String.raw`{hashtag|\#|$1}`),
    content: { media: { id: media } },
    createdAt,
    publishedAt: createdAt,
    lastModifiedAt: createdAt,
    lifecycleState: 'PUBLISHED',
    visibility: 'PUBLIC',
  }
}

/** @throws StandInRefusal 400 when the media belong to another author, do not exist, or are not ready */
function mustBePostable({ author, content }: NewPost, assets: Assets): void {
  const { id } = content.media
  if (assets.ownerOf(id) !== author) throw refuse(400, 'INVALID_URN_ID', `ERROR :: /content/media/id :: ${id}`)
  switch (assets.status(id, false)?.status) {
    case 'AVAILABLE':
      return
    case 'PROCESSING_FAILED':
      throw refuse(400, 'MEDIA_ASSET_PROCESSING_FAILED', `The media asset ${id} could not be processed`)
    default:
      throw refuse(400, 'MEDIA_ASSET_WAITING_UPLOAD', `The media asset ${id} is not available yet`)
  }
}

/** @throws StandInRefusal 422 that names the earlier post */
function mustBeNew({ author, commentary, content }: NewPost, { ledger, clock }: StandInDeps): void {
  const earlier = ledger
    .posts('linkedin', { accountId: author, token: content.media.id })
    .map(({ id, details }) => ({ id, ...detailsSchema.parse(details) }))
    .find((post) => post.commentary === commentary && clock.now() - post.createdAt < REPEAT_WINDOW_MS)
  if (earlier) throw refuse(422, 'DUPLICATE_POST', `Content is a duplicate of ${earlier.id}`)
}
