import { createHash } from 'node:crypto'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { only, type Resource } from './parts.ts'
import { scriptIn } from './script.ts'

export const TEXT_FORMATS = ['html', 'plainText'] as const
type TextFormat = (typeof TEXT_FORMATS)[number]

/** Replies included in a thread; the rest are in a separate list. */
const SHOWN_REPLIES = 5

const fanDetails = z.object({ channelId: z.string().optional() })

/** A fan's channel is derived from the name. */
export function newFanComment(
  { author }: Pick<LedgerComment, 'author'>,
  { ids }: StandInDeps,
): Pick<LedgerComment, 'id' | 'details'> {
  const details: z.infer<typeof fanDetails> = { channelId: `UC${digest(author, 22)}` }
  return { id: `Ug${digest(ids.token(), 17)}4AaABAg`, details }
}

/** Publishes a reply of the account. Its id begins with that of the comment it replies to. */
export function addReply(
  { externalId, label }: LedgerAccount,
  { id: inReplyTo, postId }: LedgerComment,
  text: string,
  { ledger, clock, ids }: StandInDeps,
): LedgerComment {
  const reply: LedgerComment = {
    id: `${inReplyTo}.${digest(ids.token(), 22)}`,
    platform: 'youtube',
    accountId: externalId,
    ...(postId !== undefined && { postId }),
    inReplyTo,
    writtenBy: 'account',
    author: label,
    text: text.trim().replaceAll('\r\n', '\n'),
    createdAt: isoTime(clock.now()),
  }
  ledger.addComment(reply)
  return reply
}

/** Publishes a comment of the account that starts a thread under a video. */
export function addThread(
  { label: author }: LedgerAccount,
  { id: postId, accountId }: LedgerPost,
  text: string,
  { ledger, clock, ids }: StandInDeps,
): LedgerComment {
  const comment: LedgerComment = {
    id: `Ug${digest(ids.token(), 17)}4AaABAg`,
    ...{ platform: 'youtube', accountId, postId, writtenBy: 'account', author },
    text: text.trim().replaceAll('\r\n', '\n'),
    createdAt: isoTime(clock.now()),
  }
  ledger.addComment(comment)
  return comment
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length)
}

/** The comment as the caller sees it: only its author sees the original text. */
export function commentResource(comment: LedgerComment, caller: LedgerAccount, format: TextFormat): Resource {
  const { id, accountId, writtenBy, author, text, inReplyTo, createdAt, details = {} } = comment
  const authorId = writtenBy === 'account' ? accountId : fanDetails.parse(details).channelId
  const publishedAt = createdAt.replace(/\.\d+Z$/, 'Z')
  return {
    kind: 'youtube#comment',
    id,
    snippet: {
      channelId: accountId,
      textDisplay: format === 'html' ? markup(text) : text,
      ...(authorId === caller.externalId && { textOriginal: text }),
      ...(inReplyTo !== undefined && { parentId: inReplyTo }),
      authorDisplayName: author,
      ...(authorId !== undefined && { authorChannelId: { value: authorId } }),
      canRate: true,
      viewerRating: 'none',
      likeCount: 0,
      publishedAt,
      updatedAt: publishedAt,
    },
  }
}

export function threadResource(
  top: LedgerComment,
  replies: readonly LedgerComment[],
  caller: LedgerAccount,
  format: TextFormat,
): Resource {
  const { id, accountId: channelId, postId, text } = top
  const video = postId === undefined ? {} : { videoId: postId }
  return {
    kind: 'youtube#commentThread',
    id,
    snippet: {
      channelId,
      ...video,
      topLevelComment: only(commentResource(top, caller, format), ['snippet']),
      canReply: scriptIn(text).refuse !== 'operationNotSupported',
      totalReplyCount: replies.length,
      isPublic: true,
    },
    ...(replies.length > 0 && {
      replies: {
        comments: replies
          .slice(-SHOWN_REPLIES)
          .map((reply) => only(commentResource(reply, caller, format), ['snippet'])),
      },
    }),
  }
}

function markup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\n', '<br>')
}
