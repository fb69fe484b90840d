import { checkedOptions } from '../kit/checked-options.ts'
import { repliedFirstComment } from '../kit/first-comment.ts'
import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type Published,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { rolling } from '../kit/posting-quota.ts'
import { readTextHandle, type TextHandle } from '../kit/text-handle.ts'
import { analytics } from './analytics.ts'
import { conversation } from './conversation.ts'
import { createPost } from './create-post.ts'
import { costs } from './costs.ts'
import { connect, credentials } from './credentials.ts'
import { errorOf, is } from './errors.ts'
import { findByContent } from './find-by-content.ts'
import { find } from './find.ts'
import { mustBeHandle, type Handle } from './handle.ts'
import { authorization, permissions, revoke } from './oauth.ts'
import { xOptions } from './options.ts'
import { prepare } from './prepare.ts'
import { brokenRules, measured, rulesOf, TAKES, USUAL, warnings } from './rules.ts'
import { unpublish } from './unpublish.ts'

/** Enough for 8 GB at 40 Mbit/s in and out. */
const PREPARE_TIMEOUT_MS = 60 * 60_000

/**
 * X, through API v2 with OAuth 2.0 user tokens. X has no idempotency keys: a post whose answer was lost is searched for
 * among the account's own by its upload, which no other post has.
 */
export const x: Platform = {
  key: 'x',
  proof: { image: 'searchable', video: 'searchable', text: 'searchable' },
  visibleWithinMs: 30_000,
  takes: TAKES,
  credentials,
  logins: [{ permissions, authorization }],
  connect,
  revoke,
  // Assumes an account without Premium, until its credentials are known.
  check: (post, facts) => brokenRules(post, facts, USUAL),
  measure: ({ text }) => measured(text, USUAL),
  forAccount: function (credentials) {
    return rulesOf(this, credentials)
  },
  warnings: (_post, facts) => (facts ? warnings(facts) : []),
  prepareTimeoutMs: PREPARE_TIMEOUT_MS,
  prepare: function (job, io, earlier) {
    return prepare(this, job, io, earlier)
  },
  publish: async (job, handle, io) => ({ outcome: 'published', published: await publish(job, handle, io) }),
  find: (job, given, io, others) => {
    const text = readTextHandle(given)
    return text ? findByContent(job, Date.parse(text.since), io, others) : find(job.account, mustBeHandle(given), io)
  },
  findByContent,
  unpublish,
  firstComment: repliedFirstComment(conversation, { isPost: true }),
  conversation,
  analytics,
  costs,
  quota: { posts: 100, since: rolling(15 * 60_000), refusal: (used) => errorOf('rate limit', used) },
}

async function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Published> {
  const handle = readTextHandle(given) ?? mustBeHandle(given)
  // Also an empty text is sent: X's backend does not accept a post without the field.
  const json = {
    text: job.text,
    ...mediaOf(handle),
    ...(job.inReplyTo
      ? { reply: { in_reply_to_tweet_id: job.inReplyTo.previous.postId } }
      : { reply_settings: checkedOptions(xOptions, job).replySettings }),
  }
  try {
    const { id, url } = await createPost(job.account, json, io)
    return { postId: id, url }
  } catch (error) {
    throw inView(error, handle)
  }
}

function mediaOf(handle: Handle | TextHandle): object {
  return 'mediaId' in handle ? { media: { media_ids: [handle.mediaId, ...handle.moreIds] } } : {}
}

/** Reclassifies a refusal in light of earlier attempts. */
function inView(error: unknown, handle: Handle | TextHandle): unknown {
  // After an earlier call, only a search can show whether the duplicate is our own post or another one.
  if (is(error, 'duplicate') && handle.sentBefore)
    return new PlatformError('ambiguous', error.message, { cause: error })
  if (is(error, 'unusable media') && 'earlierKeys' in handle && handle.earlierKeys.length === 0) {
    // Possibly expired, which only a new upload can fix.
    return new PlatformError('retryable', error.message, { startOver: true, cause: error })
  }
  return error
}
