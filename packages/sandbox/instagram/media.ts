import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerItem, LedgerPost } from '../ledger.ts'
import { graphTime, pick } from '../meta/fields.ts'
import type { Container } from '../meta/kept-container.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import { listQuery, pageOf } from '../meta/page.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import { amount } from '../meta/script.ts'
import type { StandInDeps } from '../stand-in.ts'
import { MEDIA, newId } from './ids.ts'
import { authenticate } from './tokens.ts'
import { answer } from './answer.ts'

const NOT_PERMITTED = graphRefusal({ code: 10, message: '(#10) Application does not have permission for this action' })
const detailsSchema = z.object({ shortcode: z.string(), listedFrom: z.number() })
const mediaQuery = z.strictObject({
  ...listQuery(1, 100, 25),
  since: z.coerce.number().int().optional(),
  until: z.coerce.number().int().optional(),
})

/** Publishes a container's media. Publishing twice makes two posts: how Instagram handles that is unknown. */
export function addMedia(container: Container, items: LedgerItem[], { ledger, clock, ids }: StandInDeps): LedgerPost {
  const { id: token, accountId, text: caption, mediaUrl, mediaType, details } = container
  const now = clock.now()
  const shortcode = ids.token().replaceAll('-', '').slice(0, 11)
  const post: LedgerPost = {
    id: newId(MEDIA, ids),
    platform: 'instagram',
    accountId,
    token,
    caption,
    mediaUrl,
    mediaType,
    items,
    createdAt: isoTime(now),
    details: { ...details, shortcode, listedFrom: now + (amount(mediaUrl, 'listed-after') ?? 0) * 1_000 },
  }
  ledger.addPost(post)
  return post
}

/** All readable fields. */
export function shownMedia(post: LedgerPost, { ledger, baseUrl }: StandInDeps): Readonly<Record<string, unknown>> {
  const { shortcode } = detailsSchema.parse(post.details)
  const isAlbum = (post.items?.length ?? 1) > 1
  const isImage = post.mediaType === 'image'
  return {
    id: post.id,
    caption: post.caption === '' ? undefined : post.caption,
    media_type: isAlbum ? 'CAROUSEL_ALBUM' : isImage ? 'IMAGE' : 'VIDEO',
    media_product_type: isAlbum || isImage ? 'FEED' : 'REELS',
    permalink: `${baseUrl()}/p/${shortcode}/`,
    shortcode,
    timestamp: graphTime(post.createdAt),
    comments_count: ledger.commentsUnder('instagram', post.id).length,
  }
}

/** `GET /{user}/media`, newest first, the deletion of media, and the permalinks, which need no token. */
export function registerMedia(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, clock, baseUrl } = deps

  app.get<ById>('/v26.0/:id/media', (request, reply) => {
    const { account, parameters } = authenticate(request, deps)
    const { id } = request.params
    if (id !== account.externalId) throw unknownObject(id)
    const { fields, limit, since = 0, until = Infinity, after } = decode(mediaQuery, parameters)
    const listed = ledger
      .posts('instagram', { accountId: id })
      .filter(({ createdAt, details }) => {
        const at = Math.floor(Date.parse(createdAt) / 1_000)
        return at >= since && at <= until && detailsSchema.parse(details).listedFrom <= clock.now()
      })
      .toReversed()
    const url = `${baseUrl()}/v26.0/${id}/media`
    return reply.send(pageOf(listed, { after, limit, url }, (post) => pick(shownMedia(post, deps), fields)))
  })

  app.delete<ById>('/v26.0/:id', (request, reply) => {
    const caller = authenticate(request, deps)
    const { account, kind } = caller
    const { id } = request.params
    // With Facebook login only.
    const isAllowed = account.secrets['scopes']?.split(',').includes('instagram_manage_contents') ?? true
    if (kind !== 'pageAccessToken' || !isAllowed) throw NOT_PERMITTED
    if (ledger.post('instagram', id)?.accountId !== account.externalId) throw unknownObject(id)
    return answer(reply, 'delete', caller, deps, () => {
      ledger.removePost('instagram', id)
      return { success: true, deleted_id: id }
    })
  })

  app.get<{ Params: { code: string } }>('/p/:code/', (request, reply) => {
    const { code } = request.params
    const post = ledger.posts('instagram').find(({ details }) => detailsSchema.parse(details).shortcode === code)
    if (!post) throw unknownObject(code)
    return reply.send({ id: post.id, caption: post.caption, mediaUrl: post.mediaUrl, mediaType: post.mediaType })
  })
}
