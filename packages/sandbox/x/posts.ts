import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerItem, LedgerMedia, LedgerPost } from '../ledger.ts'
import { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { isPost } from './ids.ts'
import type { UploadShelf } from './upload-sessions.ts'
import { decode, forbidden, invalid, notFound, problem } from './refusal.ts'
import { takeReply } from './replies.ts'
import { cashtags, weight } from './text.ts'
import { authenticateFor } from './tokens.ts'
import { aliveMedia, keyOf } from './uploads.ts'

const id = z.string().regex(/^\d{1,19}$/, 'is not an id')
const ids = z.array(z.string()).optional()
const flag = z.boolean().optional()
const newPost = z.strictObject({
  text: z.string().default(''),
  media: z.strictObject({ media_ids: z.array(z.string()).min(1).max(4), tagged_user_ids: ids }).optional(),
  reply: z
    .strictObject({ in_reply_to_tweet_id: id, exclude_reply_user_ids: ids, auto_populate_reply_metadata: flag })
    .optional(),
  reply_settings: z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  made_with_ai: flag,
  paid_partnership: flag,
  nullcast: flag,
  for_super_followers_only: flag,
  share_with_followers: flag,
  quote_tweet_id: id.optional(),
})
const byId = z.strictObject({ id })

const STILL = /^image\/(?!gif)/

/** Weighted characters. */
const LIMIT = { usual: 280, premium: 25_000 }

export function isPremium({ label }: LedgerAccount): boolean {
  return label.startsWith('premium')
}

/**
 * `POST /2/tweets`: posts of text, of one video or GIF, or of up to four images, also as replies to the account's own; and replies
 * to others, without media. `DELETE` for the account's posts.
 */
export function registerPosts(app: FastifyInstance, { newId, directives }: UploadShelf, deps: StandInDeps): void {
  const { ledger, clock } = deps
  app.delete('/2/tweets/:id', (request, reply) => {
    const account = authenticateFor('tweet.write', request.headers.authorization, deps)
    const { id } = decode(byId, request.params)
    const post = ledger.post('x', id)
    if (!post) throw notFound(`Could not find tweet with id: [${id}].`)
    if (post.accountId !== account.externalId) throw forbidden('You are not allowed to delete this Post.')
    return answerX(reply, 'delete', account, deps, () => {
      ledger.removePost('x', id)
      return { status: 200, body: { data: { deleted: true } } }
    })
  })

  app.post('/2/tweets', (request, reply) => {
    const account = authenticateFor('tweet.write', request.headers.authorization, deps)
    const body = decode(newPost, request.body)
    const { text, media: given, reply: target, quote_tweet_id: quoted, reply_settings: replySettings } = body
    if (quoted !== undefined) throw forbidden('Quoting posts is not available to self-serve apps.')
    if (weight(text) > (isPremium(account) ? LIMIT.premium : LIMIT.usual)) {
      throw problem(400, 'Bad Request', 'Your Tweet text is too long.')
    }
    if (cashtags(text) > 1) throw forbidden('Posts may have one cashtag.')
    const newPostId = () => newId((id) => isPost(id, ledger))
    const { externalId: accountId } = account
    const above = target && ledger.post('x', target.in_reply_to_tweet_id)
    if (target && above?.accountId !== accountId) {
      if (given) throw invalid('media', 'the sandbox accepts replies to others only without media')
      return takeReply(reply, { id: newPostId(), text, to: target.in_reply_to_tweet_id }, account, deps)
    }
    const media = (given?.media_ids ?? []).map((each) => usable(each, account, deps))
    if (media.length > 1 && media.some(({ mimeType }) => !STILL.test(mimeType))) {
      throw invalid('media.media_ids', 'A post has up to 4 photos, or 1 animated GIF, or 1 video.')
    }
    if (media.length === 0 && text.trim() === '') throw invalid('text', 'is empty')
    const isRepeated = ({ caption, mediaType, inReplyTo }: LedgerPost): boolean =>
      mediaType === 'text' && caption === text && inReplyTo === above?.id
    if (media.length === 0 && ledger.posts('x', { accountId }).some(isRepeated)) {
      throw forbidden('You are not allowed to create a Tweet with duplicate content.')
    }
    const directive = directives.get(given?.media_ids[0] ?? '')
    if (directive === 'no-credits') {
      throw problem(
        402,
        'CreditsDepleted',
        'Your account does not have any credits to fulfill this request.',
        'credits',
      )
    }
    if (directive === 'duplicate' && ledger.posts('x', { accountId }).some(({ caption }) => caption === text)) {
      throw forbidden('You are not allowed to create a Tweet with duplicate content.')
    }
    return answerX(reply, 'publish', account, deps, () => {
      const id = newPostId()
      const post: LedgerPost = {
        id,
        platform: 'x',
        accountId,
        ...(above && { inReplyTo: above.id }),
        caption: text,
        ...shownOf(media, deps),
        createdAt: isoTime(clock.now()),
        details: {
          ...keysOf(media),
          ...(replySettings !== undefined && { replySettings }),
        },
      }
      ledger.addPost(post)
      return { status: 201, body: { data: { id, text, edit_history_tweet_ids: [id] } } }
    })
  })
}

function shownOf(
  media: readonly LedgerMedia[],
  deps: StandInDeps,
): Pick<LedgerPost, 'mediaUrl' | 'mediaType' | 'items'> {
  const items = media.map((each) => itemOf(each, deps))
  const { mediaUrl = '', mediaType = 'text' } = items[0] ?? {}
  return { mediaUrl, mediaType, items }
}

function keysOf([first, ...more]: readonly LedgerMedia[]): object {
  return { ...(first && { mediaKey: keyOf(first) }), ...(more.length > 0 && { moreKeys: more.map(keyOf) }) }
}

function itemOf({ id, mediaType, details }: LedgerMedia, deps: StandInDeps): LedgerItem {
  const altText = details?.['altText']
  return { mediaUrl: `${deps.baseUrl()}/media/${id}`, mediaType, ...(typeof altText === 'string' && { altText }) }
}

function usable(mediaId: string, { externalId }: LedgerAccount, deps: StandInDeps) {
  try {
    return aliveMedia(mediaId, externalId, deps)
  } catch (error) {
    if (error instanceof StandInRefusal) throw invalid('media.media_ids', 'Your media IDs are invalid.')
    throw error
  }
}
