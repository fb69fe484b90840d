import type { Conversation, FetchedComment } from '../kit/conversation.ts'
import { look } from '../meta/look.ts'
import { secondOf } from '../meta/time.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { errorOf, is } from './api.ts'
import { commentedMedia } from './commented-media.ts'
import { commentReader, type Reading } from './comments.ts'
import { find, reply } from './reply.ts'
import { brokenByComment } from './rules.ts'
import { withSession } from './session.ts'

/**
 * Comments under the account's media, and the replies to them. There is no list of all comments, and none of mentions:
 * Instagram reports those only through webhooks.
 */
export const conversation: Conversation = {
  requires: [],
  // 4800 calls a day for each impression: an account with ten has 48,000. Half of them leave 80 to each of 288 reads.
  leastIntervalMs: 5 * 60_000,
  fetch,
  check: brokenByComment,
  proof: 'searchable',
  // Lists lag by some seconds.
  visibleWithinMs: 60_000,
  reply,
  find,
}

async function* fetch(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncGenerator<readonly FetchedComment[]> {
  const username = await withSession(account, io, async (_session, kept) => kept.username)
  const reading: Reading = {
    us: { accountId: account.externalId, username },
    since: secondOf(since),
    underToken: (work) => withSession(account, io, work),
    io,
  }
  const isGone = (error: unknown): boolean => is(error, 'unreadable', 'refused', 'gone')
  const { under, areWithheld } = commentReader(reading)
  yield* look({ posts: commentedMedia(reading), under, isGone }, io)
  if (areWithheld()) throw errorOf('comments withheld')
}
