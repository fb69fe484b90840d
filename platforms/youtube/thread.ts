import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { listAs } from './call.ts'
import { comment, readable, type Comment } from './comment.ts'
import { pageAnswer, pageOf } from './page.ts'
import { plainId } from '../kit/plain-id.ts'

/** Requests comments as written, without the page's markup and shortened links. */
export const PLAIN = { textFormat: 'plainText' } as const

export interface Replies {
  readonly comments: readonly Comment[]
  /** Whether these are all replies, apart from those YouTube does not list yet. */
  readonly complete: boolean
}

/** A comment with its replies, a flat list. */
export interface Thread {
  readonly id: string
  /** Undefined if the comment is not on a video. */
  readonly videoId: string | undefined
  readonly canReply: boolean | undefined
  /** The first comment; undefined if it cannot be parsed. */
  readonly top: Comment | undefined
  /** Usually only the last few. */
  readonly replies: Replies
}

export const thread = z
  .object({
    id: plainId,
    snippet: z.object({
      videoId: plainId.optional().catch(undefined),
      canReply: z.boolean().optional().catch(undefined),
      totalReplyCount: z.number().catch(0),
      topLevelComment: comment.optional().catch(undefined),
    }),
    replies: z
      .object({ comments: z.array(z.unknown()) })
      .optional()
      .catch(undefined),
  })
  .transform(({ id, snippet, replies }): Thread => {
    const { videoId, canReply, totalReplyCount, topLevelComment: top } = snippet
    const comments = readable(comment, replies?.comments ?? [])
    return { id, videoId, canReply, top, replies: { comments, complete: comments.length >= totalReplyCount } }
  })

/** The thread id of a comment. The id of a reply is its thread's id, a dot, and its own. */
export function threadIdOf(commentId: string): string {
  const [threadId = commentId] = commentId.split('.')
  return threadId
}

/**
 * @returns undefined if there is no such thread, or it cannot be parsed
 * @throws PlatformError
 */
export async function threadOf(
  commentId: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<Thread | undefined> {
  const query = { part: 'snippet', id: threadIdOf(commentId), ...PLAIN }
  const { items } = await listAs(account, 'commentThreads', query, pageAnswer, io)
  return readable(thread, items)[0]
}

/**
 * All replies of a thread, in undocumented order.
 *
 * @param mayCall whether one more page may be requested
 * @throws PlatformError
 */
export async function repliesIn(
  threadId: string,
  account: PlatformAccount,
  mayCall: () => boolean,
  io: PlatformIo,
): Promise<Replies> {
  const query = { part: 'snippet', parentId: threadId, ...PLAIN }
  const comments: Comment[] = []
  let complete = true
  let pageToken: string | undefined
  do {
    if (!mayCall()) return { comments, complete: false }
    const page = await pageOf(account, 'comments', query, pageToken, io)
    const found = readable(comment, page.items)
    comments.push(...found)
    complete &&= found.length === page.items.length
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return { comments, complete }
}
