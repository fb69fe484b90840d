import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'

/** A comment, or a reply at whatever depth. */
export interface Said {
  readonly id: string
  /** What it stands under, unless that is the post. */
  readonly parentId?: string | undefined
  readonly text: string
  readonly author: string
  readonly authorId?: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly isOurs: boolean
  /** Nobody but its author and the account sees it, and it can't be answered. */
  readonly isHidden: boolean
  /** Whom it names at its beginning, as its answer to one of several in a thread does. */
  readonly addressee?: string | undefined
}

/**
 * What others said in a thread since then.
 *
 * @param replies whether the thread holds the replies too, so that it tells which comments are answered
 */
export function fetchedFrom(
  thread: readonly Said[],
  postId: string,
  since: number,
  replies: 'told' | 'untold' = 'told',
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
      ...(replies === 'told' && { replied: thread.some((other) => other.isOurs && answers(other, said)) }),
      references: {},
    }))
}

/** Below it, or after it in its thread: what answers a reply mostly stands beside it. */
function answers({ parentId, at, addressee }: Said, to: Said): boolean {
  if (addressee !== undefined && addressee !== to.author.toLowerCase()) return false
  return parentId !== undefined && (parentId === to.id || (parentId === to.parentId && at >= to.at))
}
