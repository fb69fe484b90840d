import type { Platform } from '../kit/platform.ts'
import { repliedFirstComment } from '../kit/first-comment.ts'
import { readTextHandle } from '../kit/text-handle.ts'
import { analytics } from './analytics.ts'
import { connect, credentials } from './connect.ts'
import { conversation } from './conversation.ts'
import { edit } from './edit.ts'
import { findByContent, find } from './find.ts'
import { mustBeHandle } from './handle.ts'
import { rulesOf, usualRules } from './limits.ts'
import { authorization, permissions, revoke } from './oauth.ts'
import { prepare } from './prepare.ts'
import { publish } from './publish.ts'
import { HOST } from './server.ts'
import { areAlike } from './text.ts'
import { unpublish } from './unpublish.ts'

/**
 * Mastodon, and other servers with its API. Few of the others honor idempotency keys, so a post whose answer was lost is searched
 * for among the account's own: by its upload, or by its text where it has none.
 */
export const mastodon: Platform = {
  key: 'mastodon',
  proof: { image: 'searchable', video: 'searchable', text: 'searchable' },
  areAlike,
  visibleWithinMs: 30_000,
  // Of Mastodon as it is shipped, until the account's server is known.
  ...usualRules(),
  credentials,
  server: HOST,
  logins: [{ permissions, authorization }],
  connect,
  revoke,
  forAccount: function (stored) {
    return rulesOf(this, stored)
  },
  prepare: function (job, io, earlier) {
    return prepare(this, job, io, earlier)
  },
  publish: async (job, handle, io) => ({ outcome: 'published', published: await publish(job, handle, io) }),
  find: (job, given, io, others) => {
    const text = readTextHandle(given)
    return text ? findByContent(job, Date.parse(text.since), io, others) : find(job, mustBeHandle(given), io)
  },
  findByContent,
  unpublish,
  edit,
  firstComment: repliedFirstComment(conversation, { isPost: true }),
  conversation,
  analytics,
}
