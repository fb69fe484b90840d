import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import type { Notification } from './notifications.ts'

/**
 * A notification as the service knows it. Somebody who answers in a thread and names the account there is told of as a
 * mention, so not the reason decides what it is, but under whose post it stands.
 *
 * @param did the account's
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
    // The record's own time is whatever its writer's computer says.
    createdAt: isoTime(indexedAt),
    references: { rootUri: root.uri, rootCid: root.cid, commentCid: cid },
  }
}

/** The nearest to the thread's beginning. In the thread of somebody else, that is a reply of the account's. */
function ownPostAbove({ reason, reasonSubject, record: { reply } }: Notification, did: string): string | undefined {
  if (!reply) return undefined
  const above = [reply.root.uri, reply.parent.uri, ...(reason === 'reply' ? [reasonSubject] : [])]
  return above.find((uri) => uri?.startsWith(`at://${did}/`))
}
