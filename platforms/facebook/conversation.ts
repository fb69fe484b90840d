import type { Conversation } from '../kit/conversation.ts'
import { ifAllowed, look } from '../meta/look.ts'
import { secondOf } from '../meta/time.ts'
import { api, is } from './api.ts'
import { commentedPosts } from './commented-posts.ts'
import { commentsUnder, type Reading } from './comments.ts'
import { mentions } from './mentions.ts'
import { find, reply } from './reply.ts'
import { brokenByComment } from './rules.ts'
import { withSession } from './session.ts'

/**
 * Comments under the Page's posts and reels, and posts of others that mention the Page. There is no list of all comments, so
 * each post that has some is read.
 */
export const conversation: Conversation = {
  requires: [],
  // 4800 calls a day for each person who engages with the Page: with only one, 96 reads leave 50 calls each.
  leastIntervalMs: 15 * 60_000,
  fetch: (account, since, io) => {
    const { externalId: pageId } = account
    const from = secondOf(since)
    const reading: Reading = { pageId, since: from, underToken: (work) => withSession(account, io, work), io }
    return look(
      {
        posts: commentedPosts(pageId, from, reading.underToken, io),
        under: (post) => commentsUnder(post, reading),
        mentions: ifAllowed(api, mentions(reading)),
        isGone: (error) => is(error, 'unreadable', 'refused'),
      },
      io,
    )
  },
  check: brokenByComment,
  proof: 'searchable',
  // Lists lag by some seconds.
  visibleWithinMs: 30_000,
  reply,
  find,
}
