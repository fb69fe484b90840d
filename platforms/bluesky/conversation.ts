import type { Conversation, FetchedComment } from '../kit/conversation.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { answeredSince } from './answered.ts'
import { commentOf } from './comment.ts'
import { findReply } from './find.ts'
import { notificationsSince } from './notifications.ts'
import { reply } from './reply.ts'
import { brokenTextRules } from './text.ts'

/**
 * Comments come from the account's notifications; replies are ordinary post records. A reply's key is derived from its
 * job, so writing it again settles a lost answer.
 */
export const conversation: Conversation = {
  requires: ['rootUri', 'rootCid', 'commentCid'],
  // The limit is 3,000 calls per 5 minutes and IP address. A poll makes two or three calls, so one poll a minute leaves
  // room for 200 accounts per service.
  leastIntervalMs: 60_000,
  fetch: fetchComments,
  check: brokenTextRules,
  proof: 'idempotent-key',
  visibleWithinMs: 0,
  reply,
  find: findReply,
}

async function* fetchComments(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncIterable<readonly FetchedComment[]> {
  let answered: ReadonlySet<string> | undefined
  for await (const notifications of notificationsSince(account, since, io)) {
    const comments = notifications
      .filter(({ author }) => author.did !== account.externalId)
      .map((notification) => commentOf(notification, account.externalId))
    if (comments.length === 0) continue
    answered ??= await answeredSince(account, since, io)
    const isAnswered = ({ id }: FetchedComment) => answered?.has(id) === true
    yield comments.map((comment) => ({ ...comment, replied: isAnswered(comment) }))
  }
}
