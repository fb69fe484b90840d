import { z } from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { listAs } from './call.ts'
import { comment, readable, type Comment } from './comment.ts'
import { pageAnswer, pageOf } from './page.ts'
import { plainId } from '../kit/plain-id.ts'

/** Of all comments as they were written, without the markup and the shortened links of the page. */
export const PLAIN = { textFormat: 'plainText' } as const

export interface Replies {
  readonly comments: readonly Comment[]
  /** Whether there are no others, as far as YouTube lists them by now. */
  readonly complete: boolean
}

/** A comment with the replies to it: they form one row, and have no replies of their own. */
export interface Thread {
  readonly id: string
  /** Absent where it stands under no video. */
  readonly videoId: string | undefined
  readonly canReply: boolean | undefined
  /** The comment that opened it; undefined when it can't be read. */
  readonly top: Comment | undefined
  /** Seldom more than the last few. */
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

/** The thread of a comment: the id of a reply is that of its thread, a dot, and its own. */
export function threadIdOf(commentId: string): string {
  const [threadId = commentId] = commentId.split('.')
  return threadId
}

/**
 * @returns undefined when there is none, or none that can be read
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
 * All replies of a thread, in an order that is not documented.
 *
 * @param mayCall whether one more page may be asked for
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
