import type { FastifyInstance, FastifyRequest } from 'fastify'
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
import { sandboxPageUrl } from '../../../infra/runtime/sandbox-page.ts'
import type { StandInDeps } from '../stand-in.ts'
import { MEDIA, newId } from './ids.ts'
import { isStory } from './new-container.ts'
import { authenticate } from './tokens.ts'
import { answer } from './answer.ts'

const NOT_PERMITTED = graphRefusal({ code: 10, message: '(#10) Application does not have permission for this action' })
const detailsSchema = z.object({ shortcode: z.string(), listedFrom: z.number() })
const STORY_LIFE_MS = 86_400_000
const storiesQuery = z.strictObject(listQuery(1, 100, 25))
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
  const product = isAlbum || isImage ? 'FEED' : 'REELS'
  return {
    id: post.id,
    caption: post.caption === '' ? undefined : post.caption,
    media_type: isAlbum ? 'CAROUSEL_ALBUM' : isImage ? 'IMAGE' : 'VIDEO',
    media_product_type: isStory(post.details) ? 'STORY' : product,
    permalink: `${baseUrl()}/p/${shortcode}/`,
    shortcode,
    timestamp: graphTime(post.createdAt),
    comments_count: ledger.commentsUnder('instagram', post.id).length,
  }
}

/** `GET /{user}/media` and `/{user}/stories`, newest first, the deletion of media, and the permalinks, which need no token. */
export function registerMedia(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, clock, baseUrl } = deps

  const owner = (request: FastifyRequest<ById>) => {
    const { account, parameters } = authenticate(request, deps)
    if (request.params.id !== account.externalId) throw unknownObject(request.params.id)
    return { accountId: account.externalId, parameters }
  }
  /** Newest first. */
  const listed = (accountId: string, isWanted: (post: LedgerPost) => boolean): readonly LedgerPost[] =>
    ledger
      .posts('instagram', { accountId })
      .filter((post) => detailsSchema.parse(post.details).listedFrom <= clock.now() && isWanted(post))
      .toReversed()

  app.get<ById>('/v26.0/:id/media', (request, reply) => {
    const { accountId, parameters } = owner(request)
    const { fields, since = 0, until = Infinity, ...page } = decode(mediaQuery, parameters)
    const all = listed(accountId, ({ createdAt, details }) => {
      const at = Math.floor(Date.parse(createdAt) / 1_000)
      return at >= since && at <= until && !isStory(details)
    })
    const url = `${baseUrl()}/v26.0/${accountId}/media`
    return reply.send(pageOf(all, { ...page, url }, (post) => pick(shownMedia(post, deps), fields)))
  })

  app.get<ById>('/v26.0/:id/stories', (request, reply) => {
    const { accountId, parameters } = owner(request)
    const { fields, ...page } = decode(storiesQuery, parameters)
    const all = listed(
      accountId,
      ({ createdAt, details }) => isStory(details) && clock.now() < Date.parse(createdAt) + STORY_LIFE_MS,
    )
    const url = `${baseUrl()}/v26.0/${accountId}/stories`
    return reply.send(pageOf(all, { ...page, url }, (post) => pick(shownMedia(post, deps), fields)))
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
    return reply.redirect(sandboxPageUrl(new URL(baseUrl()).origin, 'instagram', post?.id ?? code))
  })
}
