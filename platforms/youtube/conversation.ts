import type { Conversation } from '../kit/conversation.ts'
import { fetchComments } from './fetch-comments.ts'
import { findReply } from './find-reply.ts'
import { sendReply } from './reply.ts'
import { brokenReplyRules } from './text.ts'

/**
 * Of 10,000 units a day, which all channels of a Google Cloud project share, a page of a list costs one and a reply 50,
 * with the look before it 51. At this pace a channel with little to read takes 96: ten of them leave 177 replies a day.
 */
const LEAST_INTERVAL_MS = 15 * 60_000

/** How long lists may lag is not documented. A reply that is settled late does less harm than one that is sent twice. */
const LISTED_WITHIN_MS = 5 * 60_000

/** Comments under the channel's videos. Who names the channel elsewhere, the API does not tell. */
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
