import { prepareContainer } from '../meta/prepare.ts'
import { removals } from '../meta/signed-request.ts'
import { rolling } from '../kit/posting-quota.ts'
import { repliedFirstComment } from '../kit/first-comment.ts'
import type { Platform } from '../kit/platform.ts'
import { api } from './api.ts'
import { authorization, optional, permissions } from './authorization.ts'
import { connect } from './connect.ts'
import { conversation } from './conversation.ts'
import { findByContent } from './find-by-content.ts'
import { find } from './find.ts'
import { steps } from './prepare.ts'
import { publish } from './publish.ts'
import { brokenRules, measure, TAKES } from './rules.ts'
import { givenCredentials } from './session.ts'
import { unpublish } from './unpublish.ts'

/**
 * Threads fetches the media by URL into a container, which is then published; the container says at any time whether it was. A
 * text is a container, too, and each further part of a chain one that replies to the part before it.
 */
export const threads: Platform = {
  key: 'threads',
  proof: { image: 'handle', video: 'handle', text: 'handle' },
  // A container may still be reported as finished just after it was published.
  visibleWithinMs: 10_000,
  takes: TAKES,
  credentials: givenCredentials,
  renewsAccessToken: true,
  connect,
  removals,
  logins: [{ permissions, optional, authorization }],
  check: brokenRules,
  measure,
  prepare: function (job, io, earlier) {
    return prepareContainer(steps, this, job, io, earlier)
  },
  publish,
  find,
  findByContent,
  unpublish,
  firstComment: repliedFirstComment(conversation, { isPost: true }),
  conversation,
  quota: { posts: 250, since: rolling(86_400_000), refusal: (used) => api.errorOf('quota', `${used}.`) },
}
