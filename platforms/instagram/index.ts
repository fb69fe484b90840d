import { takingFor } from '../kit/options-for.ts'
import { rolling } from '../kit/posting-quota.ts'
import { prepareContainer } from '../meta/prepare.ts'
import { removals } from '../meta/signed-request.ts'
import { versions } from '../meta/version.ts'
import type { Platform } from '../kit/platform.ts'
import { api } from './api.ts'
import { connect, ownerId } from './connect.ts'
import { conversation } from './conversation.ts'
import { findByContent } from './find-by-content.ts'
import { find } from './find.ts'
import { firstComment } from './first-comment.ts'
import { logins } from './logins.ts'
import { steps } from './prepare.ts'
import { publish } from './publish.ts'
import { brokenRules, measure, TAKES, takesFor, warnings } from './rules.ts'
import { givenCredentials } from './session.ts'
import { unpublish } from './unpublish.ts'

/**
 * Instagram business and creator accounts, through Instagram login or through the linked Facebook Page. Instagram fetches the
 * media by URL into a container, which is then published; the container says at any time whether it was.
 */
export const instagram: Platform = {
  key: 'instagram',
  proof: { image: 'handle', video: 'handle' },
  // A container may still be reported as finished just after it was published.
  visibleWithinMs: 10_000,
  takes: TAKES,
  takesFor,
  coverOption: 'coverUrl',
  credentials: givenCredentials,
  renewsAccessToken: true,
  connect,
  removals: { ...removals, ownerId },
  logins,
  check: brokenRules,
  measure,
  warnings,
  prepare: function (job, io, earlier) {
    return prepareContainer(steps, takingFor(this, job.options), job, io, earlier)
  },
  publish,
  find,
  findByContent,
  unpublish,
  firstComment,
  conversation,
  versions,
  quota: { posts: 100, since: rolling(86_400_000), refusal: (used) => api.errorOf('quota', `${used}.`) },
}
