import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { MEDIA_TYPES } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Answer } from '../answer.ts'
import type { LedgerItem, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Assets } from './assets.ts'
import { answer } from './answer.ts'
import { isMember, number } from './identity.ts'
import { shownText } from './little.ts'
import { decode, refuse } from './refusal.ts'
import { callerOf, mayPost, mayRead, mustBe, mustBeEncoded, mustBePages } from './request.ts'

const TEXT_LIMIT = 3_000
const REPEAT_WINDOW_MS = 10 * 60_000

const altText = z.string().max(4_086).optional()
const newPost = z.strictObject({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  distribution: z.strictObject({
    feedDistribution: z.enum(['MAIN_FEED', 'NONE']),
    targetEntities: z.array(z.unknown()),
    thirdPartyDistributionChannels: z.array(z.unknown()),
  }),
  content: z
    .union([
      z.strictObject({ media: z.strictObject({ id: z.string(), title: z.string().optional(), altText }) }),
      z.strictObject({
        multiImage: z.strictObject({
          images: z
            .array(z.strictObject({ id: z.string().regex(/^urn:li:image:/), altText }))
            .min(2)
            .max(20),
        }),
      }),
    ])
    .optional(),
  lifecycleState: z.literal('PUBLISHED'),
  isReshareDisabledByAuthor: z.boolean(),
})
type NewPost = z.infer<typeof newPost>

/** Of the fields that LinkedIn lets apps change, the one that Fanfare changes. */
const update = z.strictObject({ patch: z.strictObject({ $set: z.strictObject({ commentary: z.string() }) }) })

const listing = z.strictObject({
  q: z.literal('author'),
  author: z.string(),
  count: z.coerce.number().int().min(1).max(100).default(10),
  start: z.coerce.number().int().min(0).default(0),
  sortBy: z.enum(['LAST_MODIFIED', 'CREATED']).default('LAST_MODIFIED'),
})
const detailsSchema = z.object({
  commentary: z.string(),
  /** Absent for text alone. */
  media: z.string().optional(),
  /** Of further images. */
  more: z.array(z.string()).default([]),
  createdAt: z.number(),
  visibility: z.string().default('PUBLIC'),
  title: z.string().optional(),
})

/** `POST /rest/posts`, and the listing of an author's own posts. */
export function registerPosts(app: FastifyInstance, assets: Assets, deps: StandInDeps): void {
  const { ledger, ids, clock } = deps

  const commit = ({ author, commentary, content, visibility }: NewPost): Answer => {
    const [first, ...more] = itemsOf(content)
    const items = [first, ...more].flatMap((item) => (item ? [shownItem(item, deps)] : []))
    const { mediaUrl = '', mediaType = 'text' } = items[0] ?? {}
    const urn = `urn:li:share:${number(ids.token())}`
    const createdAt = clock.now()
    ledger.addPost({
      id: urn,
      platform: 'linkedin',
      accountId: author,
      ...(first && { token: first.id }),
      caption: shownText(commentary),
      ...{ mediaUrl, mediaType, items },
      createdAt: isoTime(createdAt),
      details: {
        ...{ commentary, media: first?.id, more: more.map(({ id }) => id), createdAt, visibility },
        ...(first?.title !== undefined && { title: first.title }),
      },
    })
    return { status: 201, headers: { 'x-restli-id': urn }, body: '' }
  }

  app.post('/rest/posts', (request, reply) => {
    const caller = callerOf(request, deps)
    const post = decode(newPost, request.body)
    mayPost(caller, post.author, 'author', deps)
    mustFit(post.commentary)
    if (post.visibility === 'CONNECTIONS' && !isMember(post.author)) {
      throw refuse(400, 'INVALID_VALUE_FOR_FIELD', 'ERROR :: /visibility :: must be PUBLIC for an organization')
    }
    if (!post.content && post.commentary.trim() === '') {
      throw refuse(400, 'MISSING_FIELD', 'ERROR :: /commentary :: field is required without content')
    }
    mustHaveTitle(post)
    mustBePostable(post, assets)
    mustBeNew(post, deps)
    return answer(reply, 'publish', caller, deps, () => commit(post))
  })

  app.post<{ Params: { urn: string } }>('/rest/posts/:urn', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    if (request.headers['x-restli-method']?.toString().toUpperCase() !== 'PARTIAL_UPDATE') {
      throw refuse(400, 'ILLEGAL_ARGUMENT', 'X-RestLi-Method must be PARTIAL_UPDATE')
    }
    const { commentary } = decode(update, request.body).patch.$set
    const post = ledger.post('linkedin', request.params.urn)
    if (!post) throw refuse(404, 'NOT_FOUND', `Post ${request.params.urn} is not found`)
    mayPost(caller, post.accountId, 'author', deps)
    mustFit(commentary)
    return answer(reply, 'edit', caller, deps, () => {
      ledger.replacePost({ ...post, caption: shownText(commentary), details: { ...post.details, commentary } })
      return { status: 204, body: undefined }
    })
  })

  app.delete<{ Params: { urn: string } }>('/rest/posts/:urn', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    const { urn } = request.params
    const post = ledger.post('linkedin', urn)
    // Deletions are idempotent: LinkedIn answers for posts that are gone as well.
    if (!post) return reply.code(204).send()
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

interface Item {
  readonly id: string
  readonly altText?: string | undefined
  readonly title?: string | undefined
}

function itemsOf(content: NewPost['content']): readonly Item[] {
  if (!content) return []
  return 'media' in content ? [content.media] : content.multiImage.images
}

function shownItem({ id, altText }: Item, deps: StandInDeps): LedgerItem {
  const mediaType = MEDIA_TYPES.find((type) => id.startsWith(`urn:li:${type}:`)) ?? 'image'
  const mediaUrl = `${deps.baseUrl()}/media/${encodeURIComponent(id)}`
  return { mediaUrl, mediaType, ...(altText !== undefined && { altText }) }
}

function shown({ id, accountId, details }: LedgerPost): object {
  const { commentary, media, more, createdAt, visibility, title } = detailsSchema.parse(details)
  const images = [media, ...more].map((each) => ({ id: each }))
  const content = more.length > 0 ? { multiImage: { images } } : { media: { id: media, title } }
  return {
    id,
    author: accountId,
    // LinkedIn rewrites hashtags in its own notation.
    commentary: commentary.replace(/(?<!\\)#([\p{L}\p{N}\p{M}]+)/gu, String.raw`{hashtag|\#|$1}`),
    ...(media !== undefined && { content }),
    createdAt,
    publishedAt: createdAt,
    lastModifiedAt: createdAt,
    lifecycleState: 'PUBLISHED',
    visibility,
  }
}

/** @throws StandInRefusal 400 */
function mustFit(commentary: string): void {
  if (shownText(commentary).length <= TEXT_LIMIT) return
  throw refuse(400, 'FIELD_LENGTH_TOO_LONG', `ERROR :: /commentary :: length is over ${TEXT_LIMIT}`)
}

/** @throws StandInRefusal 422 for a document without one */
function mustHaveTitle({ content }: NewPost): void {
  const lacking = itemsOf(content).find(({ id, title }) => id.startsWith('urn:li:document:') && !title?.trim())
  if (!lacking) return
  throw refuse(
    422,
    'MISSING_FIELD',
    'ERROR :: /content/media/title :: field is required but not found and has no default value',
  )
}

/** @throws StandInRefusal 400 when the media belong to another author, do not exist, or are not ready */
function mustBePostable({ author, content }: NewPost, assets: Assets): void {
  for (const { id } of itemsOf(content)) {
    if (assets.ownerOf(id) !== author) throw refuse(400, 'INVALID_URN_ID', `ERROR :: /content/media/id :: ${id}`)
    switch (assets.status(id, false)?.status) {
      case 'AVAILABLE':
        continue
      case 'PROCESSING_FAILED':
        throw refuse(400, 'MEDIA_ASSET_PROCESSING_FAILED', `The media asset ${id} could not be processed`)
      default:
        throw refuse(400, 'MEDIA_ASSET_WAITING_UPLOAD', `The media asset ${id} is not available yet`)
    }
  }
}

/** @throws StandInRefusal 422 that names the earlier post */
function mustBeNew({ author, commentary, content }: NewPost, { ledger, clock }: StandInDeps): void {
  const earlier = ledger
    .posts('linkedin', { accountId: author })
    .map(({ id, details }) => ({ id, ...detailsSchema.parse(details) }))
    .filter((post) => post.commentary === commentary && post.media === itemsOf(content)[0]?.id)
    .find((post) => clock.now() - post.createdAt < REPEAT_WINDOW_MS)
  if (earlier) throw refuse(422, 'DUPLICATE_POST', `Content is a duplicate of ${earlier.id}`)
}
