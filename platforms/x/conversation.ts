import type { Conversation, ReplyJob, SentReply } from '../kit/conversation.ts'
import { PlatformError, type PlatformIo, type Search } from '../kit/platform.ts'
import { createPost, permalink } from './create-post.ts'
import { is } from './errors.ts'
import { fetchMentions } from './mentions.ts'
import { findOwnPost } from './own-posts.ts'
import { brokenRules, USUAL } from './rules.ts'
import { isShownAs } from './shown-text.ts'

/**
 * Mentions, which on X include all replies to an account's posts. A reply is an ordinary post, so one whose answer was lost
 * is searched for among the account's own posts.
 */
export const conversation: Conversation = {
  requires: [],
  // X allows an app 450 mention reads per 15 minutes, across all of its accounts. A poll mostly takes one, so at this
  // interval 150 accounts can share an app.
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
      if (is(error, 'duplicate')) return sentBefore(job, error, io)
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

/** A duplicate refusal may refer to this very reply, sent before and visible only now. */
async function sentBefore(job: ReplyJob, refusal: PlatformError, io: PlatformIo): Promise<SentReply> {
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
