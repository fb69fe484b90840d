import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerItem, LedgerPost } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import type { Container } from '../meta/kept-container.ts'
import { decode, invalid } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import { amount } from '../meta/script.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import type { ThreadsContainers } from './containers.ts'
import { newId } from './ids.ts'
import { mustBeShort, newContainer } from './new-container.ts'
import { mustHaveQuota, quotaOf } from './quota.ts'
import { answerable, liveReply } from './replies.ts'
import type { ReplyContainers } from './reply-containers.ts'
import { postOf, replyOf, shown, shownReply } from './shown.ts'
import { authenticate, authenticateOwner, mustHave, type ByUser } from './tokens.ts'
import { noSuchMedia } from './unknown.ts'

const publishForm = z.strictObject({ creation_id: z.string().min(1) })
/** Of a carousel. */
const ITEMS = { least: 2, most: 20 }
const fieldsOnly = z.strictObject({ fields: z.string().optional() })

/** Creates and publishes containers, and reads single objects. */
export function registerPosts(
  app: FastifyInstance,
  all: ThreadsContainers,
  replies: ReplyContainers,
  deps: StandInDeps,
): void {
  app.post<ByUser>('/v1.0/:user/threads', (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const given = decode(newContainer, parameters)
    const { text = '' } = given
    mustBeShort(text)
    const { reply_to_id: to } = given
    if (to !== undefined) mustHave('threads_manage_replies', account)
    if (to !== undefined && !postOf(account, to, deps)) {
      const comment = answerable(account, to, deps)
      if (given.media_type !== 'TEXT') throw invalid('the sandbox takes replies to comments only as text')
      return reply.send({ id: replies.add({ accountId: account.externalId, text, to: comment }) })
    }
    if (given.media_type === 'TEXT') {
      const own = { accountId: account.externalId, mediaType: 'text', mediaUrl: '' } as const
      return reply.send({ id: all.add({ ...own, text, details: detailsOf(given) }) })
    }
    if (given.media_type === 'CAROUSEL') {
      const { length } = given.children.split(',')
      if (length < ITEMS.least || length > ITEMS.most) throw invalid('Carousels have 2 to 20 children')
      return reply.send({ id: all.addCarousel(account, given.children, { text, details: detailsOf(given) }) })
    }
    const { alt_text: altText, is_carousel_item: isItem } = given
    const details = detailsOf(given)
    const further = { details, ...(altText !== undefined && { altText }), ...(isItem === 'true' && { isItem: true }) }
    const media =
      given.media_type === 'IMAGE'
        ? ({ mediaType: 'image', mediaUrl: given.image_url } as const)
        : ({ mediaType: 'video', mediaUrl: given.video_url } as const)
    return reply.send({ id: all.add({ accountId: account.externalId, text, ...media, ...further }) })
  })

  // Whether Threads publishes a container twice is unknown. The sandbox does, to expose duplicates.
  app.post<ByUser>('/v1.0/:user/threads_publish', (request, reply) => {
    const caller = authenticateOwner(request, deps)
    const { creation_id: id } = decode(publishForm, caller.parameters)
    const { account } = caller
    const ofReply = replies.find(id, account.externalId)
    if (ofReply) {
      replies.mustBeFinished(ofReply)
      mustHaveQuota(account, 'replies', deps)
      return answer(reply, 'reply', caller, deps, () => ({ id: liveReply(ofReply, account, deps) }))
    }
    const container = all.finished(account, id)
    mustHaveQuota(account, container.details?.['reply_to_id'] === undefined ? 'posts' : 'replies', deps)
    return answer(reply, 'publish', caller, deps, () => ({ id: live(container, all.itemsOf(container), deps) }))
  })

  app.get<ByUser>('/v1.0/:user/threads_publishing_limit', (request, reply) => {
    const { account, parameters } = authenticateOwner(request, deps)
    const { fields } = decode(fieldsOnly, parameters)
    return reply.send({ data: [pick(quotaOf(account, deps), fields)] })
  })

  app.delete<ById>('/v1.0/:id', (request, reply) => {
    const caller = authenticate(request, deps)
    const { id } = request.params
    mustHave('threads_delete', caller.account)
    if (!postOf(caller.account, id, deps)) throw noSuchMedia()
    return answer(reply, 'delete', caller, deps, () => {
      deps.ledger.removePost('threads', id)
      return { success: true, deleted_id: id }
    })
  })

  app.get<ById>('/v1.0/:id', async (request, reply) => {
    const { account, parameters } = authenticate(request, deps)
    const { fields } = decode(fieldsOnly, parameters)
    const { id } = request.params
    if (id === 'me' || id === account.externalId) {
      return reply.send(pick({ id: account.externalId, username: account.label, name: account.label }, fields))
    }
    const post = postOf(account, id, deps)
    if (post) return reply.send(pick(shown(post, account, deps), fields))
    const comment = replyOf(account, id, deps)
    if (comment) return reply.send(pick(shownReply(comment, account, deps), fields))
    const ofReply = replies.find(id, account.externalId)
    const status = ofReply ? replies.look(ofReply) : await all.look(account, id)
    const error_message = status.code === 'ERROR' ? status.fault : undefined
    return reply.send(pick({ id, status: status.code, error_message }, fields))
  })
}

function detailsOf({
  topic_tag,
  reply_control,
  reply_to_id,
}: {
  readonly topic_tag?: string | undefined
  readonly reply_control?: string | undefined
  readonly reply_to_id?: string | undefined
}) {
  return {
    ...(topic_tag !== undefined && { topic_tag }),
    ...(reply_control !== undefined && { reply_control }),
    ...(reply_to_id !== undefined && { reply_to_id }),
  }
}

function live(
  { id: token, accountId, text, mediaUrl, mediaType, details }: Container,
  items: LedgerItem[],
  { ledger, clock, ids }: StandInDeps,
) {
  const now = clock.now()
  const inReplyTo = details?.['reply_to_id']
  const post: LedgerPost = {
    id: newId(ids),
    platform: 'threads',
    accountId,
    token,
    ...(inReplyTo !== undefined && { inReplyTo }),
    caption: text,
    mediaUrl,
    mediaType,
    items,
    createdAt: isoTime(now),
    details: { ...details, listedAt: isoTime(now + (amount(mediaUrl, 'listed-after') ?? 0) * 1_000) },
  }
  ledger.addPost(post)
  return post.id
}
