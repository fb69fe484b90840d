import type { Conversation } from '../kit/conversation.ts'
import { fetchComments } from './fetch-comments.ts'
import { findReply } from './find-reply.ts'
import { reply } from './reply.ts'

/** In UTF-16 units, the stricter way to count: an emoji is two or more. */
const TEXT_LIMIT = 1_250

/** Comments on a page's posts, and posts that mention it. Those on a member's posts may not be read, only answered. */
export const conversation: Conversation = {
  requires: ['postUrn'],
  // Quotas are per day, member and endpoint, and not published; 150 is reported. A look is one call where nothing is new:
  // 48 looks a day leave two thirds for the comments themselves.
  leastIntervalMs: 30 * 60_000,
  fetch: fetchComments,
  check: (text) =>
    text.length <= TEXT_LIMIT
      ? []
      : [
          `LinkedIn takes comments of ${TEXT_LIMIT} characters, this one has ${text.length} (an emoji counts as two or more).`,
        ],
  proof: 'searchable',
  // As of posts: reported as about 10 s.
  visibleWithinMs: 60_000,
  reply,
  find: findReply,
}
