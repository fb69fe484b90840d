import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerItem, LedgerMedia, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { LIMITS } from './instance.ts'
import { writtenIn } from './fans.ts'
import { mustFit } from './length.ts'
import type { MediaShelf } from './media.ts'
import { decode, notFound, refusal } from './refusal.ts'
import { KEY_LIFETIME_MS, takeReply } from './replies.ts'
import { shownStatus, writtenBy } from './shown.ts'
import { authenticate } from './tokens.ts'

const { max_media_attachments } = LIMITS.statuses

const text = z.string()
const common = {
  status: text.optional(),
  media_ids: z.array(text).optional(),
  sensitive: z.boolean().optional(),
  spoiler_text: text.optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z]{2,8})?$/)
    .optional(),
}
const newStatus = z.strictObject({
  ...common,
  in_reply_to_id: text.optional(),
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']).optional(),
})
const changes = z.strictObject(common)

type ById = { Params: { id: string } }

/** Posts, and the replies of chains. The answer to a repeated key is the same post, as Mastodon documents it. */
export function registerStatuses(
  app: FastifyInstance,
  newId: () => string,
  shelf: MediaShelf,
  deps: StandInDeps,
): void {
  const { ledger, clock } = deps
  const shown = (post: LedgerPost, account: LedgerAccount) => shownStatus(writtenBy(account, post, deps), deps)
  const ownOf = (id: string, { externalId }: LedgerAccount): LedgerPost => {
    const post = ledger.post('mastodon', id)
    if (post?.accountId !== externalId) throw notFound()
    return post
  }
  const withKey = (token: string | undefined, { externalId: accountId }: LedgerAccount): LedgerPost | undefined =>
    token === undefined
      ? undefined
      : ledger
          .posts('mastodon', { accountId, token })
          .find(({ createdAt }) => Date.parse(createdAt) + KEY_LIFETIME_MS > clock.now())

  app.post('/api/v1/statuses', (request, reply) => {
    const account = authenticate(request, 'write:statuses', deps)
    const given = decode(newStatus, request.body)
    const { status = '', media_ids = [], in_reply_to_id: above, visibility = 'public', ...rest } = given
    const { 'idempotency-key': key } = request.headers
    const token = typeof key === 'string' ? key : undefined
    const before = withKey(token, account)
    if (before) return answer(reply, 'publish', account, deps, () => shown(before, account))
    const target = above === undefined ? undefined : ledger.comment('mastodon', above)
    if (target?.accountId === account.externalId) {
      return takeReply(reply, { id: newId(), token, status, visibility, to: target }, account, deps)
    }
    if (above !== undefined && !ledger.post('mastodon', above)) {
      throw refusal(404, 'The post you are trying to reply to does not appear to exist.')
    }
    if (media_ids.length > max_media_attachments)
      throw refusal(422, `Cannot attach more than ${max_media_attachments} files`)
    const media = shelf.usable(media_ids, account)
    mustFit(status, rest.spoiler_text, media.length)
    return answer(reply, 'publish', account, deps, () => {
      const id = newId()
      const { spoiler_text = '', sensitive = spoiler_text !== '', language = 'en' } = rest
      const post: LedgerPost = {
        ...{ id, platform: 'mastodon', accountId: account.externalId, caption: status.trim() },
        ...(token !== undefined && { token }),
        ...(above !== undefined && { inReplyTo: above }),
        ...itemsOf(media, deps),
        ...((visibility === 'private' || visibility === 'direct') && { isHidden: true }),
        createdAt: isoTime(clock.now()),
        details: { visibility, spoiler_text, sensitive, language, mediaIds: media_ids },
      }
      for (const each of media) ledger.addMedia({ ...each, details: { ...each.details, statusId: id } })
      ledger.addPost(post)
      return shown(post, account)
    })
  })

  app.get<ById>('/api/v1/statuses/:id', (request, reply) => {
    const account = authenticate(request, 'read:statuses', deps)
    const comment = ledger.comment('mastodon', request.params.id)
    if (comment?.accountId === account.externalId) return reply.send(shownStatus(writtenIn(comment, account), deps))
    const post = ownOf(request.params.id, account)
    return answer(reply, 'metrics', account, deps, () => shown(post, account))
  })

  app.put<ById>('/api/v1/statuses/:id', (request, reply) => {
    const account = authenticate(request, 'write:statuses', deps)
    const post = ownOf(request.params.id, account)
    const { status = post.caption, media_ids = [], spoiler_text = '', ...rest } = decode(changes, request.body)
    mustFit(status, spoiler_text, media_ids.length)
    const media = media_ids.flatMap((id) => ledger.media('mastodon', id) ?? [])
    return answer(reply, 'edit', account, deps, () => {
      // What an edit leaves out is gone.
      const { sensitive = false, language = 'en' } = rest
      const edited_at = isoTime(clock.now())
      const details = { ...post.details, spoiler_text, sensitive, language, mediaIds: media_ids, edited_at }
      const { items: _, ...kept } = post
      const edited = { ...kept, ...itemsOf(media, deps), caption: status.trim(), details }
      ledger.replacePost(edited)
      return shown(edited, account)
    })
  })

  app.delete<ById>('/api/v1/statuses/:id', (request, reply) => {
    const account = authenticate(request, 'write:statuses', deps)
    const post = ownOf(request.params.id, account)
    return answer(reply, 'delete', account, deps, () => {
      ledger.removePost('mastodon', post.id)
      return { ...shown(post, account), text: post.caption }
    })
  })
}

function itemsOf(
  media: readonly LedgerMedia[],
  deps: StandInDeps,
): Pick<LedgerPost, 'mediaUrl' | 'mediaType' | 'items'> {
  const items = media.map(({ id, mediaType, details }): LedgerItem => {
    const altText = details?.['description']
    return { mediaUrl: `${deps.baseUrl()}/media/${id}`, mediaType, ...(typeof altText === 'string' && { altText }) }
  })
  const { mediaUrl = '', mediaType = 'text' } = items[0] ?? {}
  return { mediaUrl, mediaType, ...(items.length > 0 && { items }) }
}
