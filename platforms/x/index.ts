import {
  PlatformError,
  type Platform,
  type PlatformIo,
  type Published,
  type PublishHandle,
  type PublishJob,
} from '../kit/platform.ts'
import { analytics } from './analytics.ts'
import { authorization } from './authorization.ts'
import { conversation } from './conversation.ts'
import { createPost } from './create-post.ts'
import { connect, credentials } from './credentials.ts'
import { XError } from './errors.ts'
import { findByContent } from './find-by-content.ts'
import { find } from './find.ts'
import { mustBeHandle, type Handle } from './handle.ts'
import { prepare } from './prepare.ts'
import { brokenRules, TAKES, USUAL } from './rules.ts'

/**
 * X, by its API v2 with OAuth 2.0 user tokens. X knows no idempotency key: a post whose answer was lost is looked for
 * among the account's own, by the upload that it shows, which no other post has.
 */
export const x: Platform = {
  key: 'x',
  proof: { image: 'searchable', video: 'searchable' },
  visibleWithinMs: 30_000,
  takes: TAKES,
  credentials,
  authorization,
  connect,
  // For an account without Premium: only `prepare` knows the account, and asks by its own allowance.
  check: (post, facts) => brokenRules(post, facts, USUAL),
  prepare: function (job, io, earlier) {
    return prepare(this, job, io, earlier)
  },
  publish: async (job, handle, io) => ({ outcome: 'published', published: await publish(job, handle, io) }),
  find: (job, given, io) => find(job.account, mustBeHandle(given), io),
  findByContent,
  conversation,
  analytics,
}

async function publish(job: PublishJob, given: PublishHandle, io: PlatformIo): Promise<Published> {
  const handle = mustBeHandle(given)
  const json = { ...(job.text !== '' && { text: job.text }), media: { media_ids: [handle.mediaId] } }
  try {
    const { id, url } = await createPost(job.account, json, io)
    return { postId: id, url }
  } catch (error) {
    throw error instanceof XError ? inView(error, handle) : error
  }
}

/** A refusal in the light of what went before. */
function inView(error: XError, { sentBefore, earlierKeys }: Handle): PlatformError {
  // After an earlier call only the search can tell whether what X calls a duplicate is ours, shown at last, or another.
  if (error.refusal === 'duplicate' && sentBefore)
    return new PlatformError('ambiguous', error.message, { cause: error })
  if (error.refusal === 'unusable-media' && earlierKeys.length === 0) {
    // Expired, perhaps: a new upload mends that, and nothing else.
    return new PlatformError('retryable', error.message, { anew: true, cause: error })
  }
  return error
}
