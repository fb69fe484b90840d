import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { PostType } from '../../../domain/core/platform.ts'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import { graphTime } from '../meta/fields.ts'
import type { StandInDeps } from '../stand-in.ts'

const MEDIA_TYPES: Readonly<Partial<Record<PostType, string>>> = { image: 'IMAGE', video: 'VIDEO', text: 'TEXT_POST' }

/** What the ledger stores of a comment beyond its common fields. */
const details = z.object({ hideStatus: z.string().default('NOT_HUSHED') })

export function postOf({ externalId }: LedgerAccount, id: string, { ledger }: StandInDeps): LedgerPost | undefined {
  const post = ledger.post('threads', id)
  return post?.accountId === externalId ? post : undefined
}

export function replyOf({ externalId }: LedgerAccount, id: string, { ledger }: StandInDeps): LedgerComment | undefined {
  const comment = ledger.comment('threads', id)
  return comment?.accountId === externalId ? comment : undefined
}

/** The first part of the chain that a post is in. */
export function rootOf({ id, inReplyTo }: LedgerPost, ledger: StandInDeps['ledger']): string {
  const above = inReplyTo === undefined ? undefined : ledger.post('threads', inReplyTo)
  return above ? rootOf(above, ledger) : (inReplyTo ?? id)
}

/** A post with all readable fields. */
export function shown(post: LedgerPost, { label }: LedgerAccount, { ledger }: StandInDeps) {
  const { id, accountId, caption, mediaType, mediaUrl, items = [], inReplyTo, createdAt } = post
  const isAnswered = ledger.posts('threads', { accountId }).some((other) => other.inReplyTo === id)
  return {
    id,
    // Omitted for a post without text.
    text: caption === '' ? undefined : caption,
    media_type: items.length > 1 ? 'CAROUSEL_ALBUM' : MEDIA_TYPES[mediaType],
    media_url: mediaType === 'text' ? undefined : mediaUrl,
    media_product_type: 'THREADS',
    ...addressOf(id, label),
    timestamp: graphTime(createdAt),
    username: label,
    has_replies: isAnswered || ledger.commentsUnder('threads', id).length > 0,
    is_quote_post: false,
    root_post: inReplyTo === undefined ? undefined : { id: rootOf(post, ledger) },
    replied_to: inReplyTo === undefined ? undefined : { id: inReplyTo },
    is_reply: inReplyTo !== undefined,
    is_reply_owned_by_me: inReplyTo !== undefined,
    hide_status: inReplyTo === undefined ? undefined : 'NOT_HUSHED',
  }
}

/** A reply or a mention, with all readable fields. */
export function shownReply(
  { id, text, author, postId, inReplyTo, writtenBy, createdAt, details: kept }: LedgerComment,
  { externalId }: LedgerAccount,
  { ledger }: StandInDeps,
) {
  const repliedTo = inReplyTo ?? postId
  const root = postId ?? inReplyTo
  return {
    id,
    text,
    media_type: 'TEXT_POST',
    ...addressOf(id, author),
    timestamp: graphTime(createdAt),
    username: author,
    has_replies: ledger.commentsOf('threads', externalId).some((other) => other.inReplyTo === id),
    root_post: root && { id: root },
    replied_to: repliedTo && { id: repliedTo },
    is_reply: repliedTo !== undefined,
    is_reply_owned_by_me: writtenBy === 'account',
    hide_status: details.parse(kept ?? {}).hideStatus,
  }
}

function addressOf(id: string, username: string) {
  const shortcode = createHash('sha256').update(id).digest('base64url').slice(0, 11)
  return { permalink: `https://www.threads.com/@${username}/post/${shortcode}`, shortcode }
}
