import type { Conversation, FetchedComment } from '../kit/conversation.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { answeredSince } from './answered.ts'
import { commentOf } from './comment.ts'
import { findReply } from './find.ts'
import { notificationsSince } from './notifications.ts'
import { reply } from './reply.ts'
import { brokenTextRules } from './text.ts'

/**
 * What an account is told of by the app, answered with records as posts are. A reply's key is fixed by its job, so a lost
 * answer is settled by writing it again.
 */
export const conversation: Conversation = {
  requires: ['rootUri', 'rootCid', 'commentCid'],
  // 3,000 calls in 5 minutes are let through from one address. A look makes two or three, so at one a minute there is room
  // for 200 accounts in one service.
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
