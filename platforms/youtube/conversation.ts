import type { Conversation } from '../kit/conversation.ts'
import { fetchComments } from './fetch-comments.ts'
import { findReply } from './find-reply.ts'
import { sendReply } from './reply.ts'
import { brokenReplyRules } from './text.ts'

/**
 * All channels of a Google Cloud project share 10,000 units a day. A page of a list costs 1 unit, a reply 51, including the
 * check before it. At this interval a channel with little to read takes 96 units a day, so ten of them leave 177 replies.
 */
const LEAST_INTERVAL_MS = 15 * 60_000

/** The lists' lag is not documented, so be generous: settling a reply late is better than sending it twice. */
const LISTED_WITHIN_MS = 5 * 60_000

/** Comments on the channel's videos. The API has no way to find mentions elsewhere. */
export const conversation: Conversation = {
  requires: [],
  leastIntervalMs: LEAST_INTERVAL_MS,
  fetch: fetchComments,
  check: brokenReplyRules,
  proof: 'searchable',
  visibleWithinMs: LISTED_WITHIN_MS,
  reply: sendReply,
  find: findReply,
}
