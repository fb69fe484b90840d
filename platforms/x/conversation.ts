import type { Conversation, ReplyJob, SentReply } from '../kit/conversation.ts'
import { PlatformError, type PlatformIo, type Search } from '../kit/platform.ts'
import { createPost, permalink } from './create-post.ts'
import { XError } from './errors.ts'
import { fetchMentions } from './mentions.ts'
import { findOwnPost } from './own-posts.ts'
import { brokenRules, USUAL } from './rules.ts'
import { isShownAs } from './shown-text.ts'

/**
 * Mentions, which on X all answers to an account's posts are, and replies to them. A reply is a post of the account's own:
 * one whose answer was lost is looked for among them.
 */
export const conversation: Conversation = {
  requires: [],
  // X lets an app look for mentions 450 times in 15 minutes, for all its accounts together; one look is mostly enough. At
  // this pace 150 accounts share an app.
  leastIntervalMs: 5 * 60_000,
  fetch: fetchMentions,
  check: (text) => brokenRules({ text }, undefined, USUAL),
  proof: 'searchable',
  visibleWithinMs: 30_000,
  reply: async (job, io) => {
    try {
      const { id, url } = await createPost(job.account, replyTo(job), io)
      return { replyId: id, url }
    } catch (error) {
      if (error instanceof XError && error.refusal === 'duplicate') return sentBefore(job, error, io)
      throw error
    }
  },
  find,
}

function replyTo({ commentId, text }: ReplyJob): object {
  return { text, reply: { in_reply_to_tweet_id: commentId } }
}

async function find(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  const { account, approvedAt, commentId, text } = job
  const search = await findOwnPost(
    account,
    approvedAt,
    (post) => post.answers === commentId && isShownAs(text, post.text),
    io,
  )
  if (search.outcome !== 'found') return search
  return { outcome: 'found', found: { replyId: search.found, url: await permalink(search.found, io) } }
}

/** What X takes for a duplicate may be of this very reply, sent before and shown only now. */
async function sentBefore(job: ReplyJob, refusal: XError, io: PlatformIo): Promise<SentReply> {
  const search = await find(job, io)
  switch (search.outcome) {
    case 'found':
      return search.found
    case 'absent':
      throw refusal
    case 'unknown':
      throw new PlatformError('ambiguous', refusal.message, { cause: refusal })
  }
}
