import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'

/** A comment, or a reply at any depth. */
export interface Said {
  readonly id: string
  /** The comment it replies to; absent directly under the post. */
  readonly parentId?: string | undefined
  readonly text: string
  readonly author: string
  readonly authorId?: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly isOurs: boolean
  /** Visible only to its author and the account; cannot be answered. */
  readonly isHidden: boolean
  /** The user named at its start, as in a reply to one of several comments in a thread. */
  readonly addressee?: string | undefined
}

/**
 * What others wrote in a thread since then.
 *
 * @param replies whether the thread includes the replies, which show what has been answered
 */
export function fetchedFrom(
  thread: readonly Said[],
  postId: string,
  since: number,
  replies: 'known' | 'unknown' = 'known',
): readonly FetchedComment[] {
  return thread
    .filter(({ isOurs, isHidden, at }) => !isOurs && !isHidden && at >= since)
    .map((said) => ({
      id: said.id,
      kind: 'comment',
      postId,
      author: said.author,
      ...(said.authorId !== undefined && { authorId: said.authorId }),
      text: said.text,
      createdAt: isoTime(said.at),
      ...(replies === 'known' && { replied: thread.some((other) => other.isOurs && answers(other, said)) }),
      references: {},
    }))
}

/** Below it, or later in its thread: a reply to a reply usually appears beside it. */
function answers({ parentId, at, addressee }: Said, to: Said): boolean {
  if (addressee !== undefined && addressee !== to.author.toLowerCase()) return false
  return parentId !== undefined && (parentId === to.id || (parentId === to.parentId && at >= to.at))
}
