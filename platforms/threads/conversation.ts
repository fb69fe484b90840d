import type { Conversation } from '../kit/conversation.ts'
import { ifAllowed, look } from '../meta/look.ts'
import { secondOf } from '../meta/time.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { api, is } from './api.ts'
import { findReply } from './find-reply.ts'
import { ownPosts, type ListedPost, type Reading } from './own-posts.ts'
import { mentions, repliesUnder } from './replies.ts'
import { prepareReply, reply } from './reply.ts'
import { brokenByText } from './rules.ts'
import { withSession } from './session.ts'

/** Replies under the account's posts, at any depth, and mentions elsewhere. */
export const conversation: Conversation = {
  requires: [],
  // 4800 calls a day for each impression, ten at the least: half of 48,000 leaves 80 to each of 288 reads.
  leastIntervalMs: 5 * 60_000,
  fetch: (account, since, io) => {
    const own = new Map<string, ListedPost>()
    const reading = readingOf(account, since, io)
    return look(
      {
        posts: withReplies(ownPosts(reading), own),
        under: (post) => repliesUnder(post, reading),
        mentions: ifAllowed(api, mentions(own, reading)),
        isGone: (error) => is(error, 'unreadable', 'refused', 'gone'),
      },
      io,
    )
  },
  check: brokenByText,
  proof: 'searchable',
  // Lists lag by some seconds.
  visibleWithinMs: 60_000,
  prepare: prepareReply,
  reply,
  find: findReply,
}

function readingOf(account: PlatformAccount, since: string, io: PlatformIo): Reading {
  return {
    accountId: account.externalId,
    since: secondOf(since),
    underToken: (work) => withSession(account, io, work),
    io,
  }
}

/** @param own collects all posts */
async function* withReplies(
  pages: AsyncIterable<readonly ListedPost[]>,
  own: Map<string, ListedPost>,
): AsyncGenerator<readonly ListedPost[]> {
  for await (const page of pages) {
    for (const post of page) own.set(post.id, post)
    yield page.filter(({ has_replies: has }) => has !== false)
  }
}
