import type { Conversation } from '../kit/conversation.ts'
import { fetchComments } from './fetch-comments.ts'
import { findReply } from './find-reply.ts'
import { reply } from './reply.ts'

/** In UTF-16 units, the stricter count: an emoji is two or more. */
const TEXT_LIMIT = 1_250

/** Comments on a page's posts, and posts that mention it. Comments on a member's posts cannot be read, only replied to. */
export const conversation: Conversation = {
  requires: ['postUrn'],
  // Quotas are per day, member and endpoint, and not published; 150 is reported. A poll without news is one call, so 48
  // polls a day leave two thirds for the comments themselves.
  leastIntervalMs: 30 * 60_000,
  fetch: fetchComments,
  check: (text) =>
    text.length <= TEXT_LIMIT
      ? []
      : [
          `LinkedIn accepts comments of at most ${TEXT_LIMIT} characters; this one has ${text.length} (an emoji counts as two or more).`,
        ],
  proof: 'searchable',
  // As for posts: reported as about 10 s.
  visibleWithinMs: 60_000,
  reply,
  find: findReply,
}
