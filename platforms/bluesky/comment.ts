import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import type { Notification } from './notifications.ts'

/**
 * Converts a notification to a comment. A reply in a thread that also names the account is reported as a mention, so the
 * kind depends on whose post it is under, not on the notification's reason.
 *
 * @param did of the account
 */
export function commentOf(notification: Notification, did: string): FetchedComment {
  const { uri, cid, author, record, indexedAt } = notification
  const postId = ownPostAbove(notification, did)
  const root = record.reply?.root ?? { uri, cid }
  return {
    id: uri,
    kind: postId === undefined ? 'mention' : 'comment',
    ...(postId !== undefined && { postId }),
    author: author.displayName.trim() || author.handle,
    authorId: author.did,
    text: record.text,
    // The record's own time comes from the writer's clock and is unreliable.
    createdAt: isoTime(indexedAt),
    references: { rootUri: root.uri, rootCid: root.cid, commentCid: cid },
  }
}

/** The account's own post closest to the root of the thread. In someone else's thread this is one of its replies. */
function ownPostAbove({ reason, reasonSubject, record: { reply } }: Notification, did: string): string | undefined {
  if (!reply) return undefined
  const above = [reply.root.uri, reply.parent.uri, ...(reason === 'reply' ? [reasonSubject] : [])]
  return above.find((uri) => uri?.startsWith(`at://${did}/`))
}
