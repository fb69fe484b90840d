import { removals } from '../meta/signed-request.ts'
import { versions } from '../meta/version.ts'
import { takingFor } from '../kit/options-for.ts'
import type { Platform } from '../kit/platform.ts'
import { authorization, optional, permissions } from './authorization.ts'
import { connect, ownerId } from './connect.ts'
import { conversation } from './conversation.ts'
import { edit } from './edit.ts'
import { findByContent } from './find-by-content.ts'
import { find } from './find.ts'
import { firstComment } from './first-comment.ts'
import { prepare } from './prepare.ts'
import { publish } from './publish.ts'
import { brokenRules, measure, TAKES, takesFor, warnings } from './rules.ts'
import { credentialsSchema } from './session.ts'
import { unpublish } from './unpublish.ts'

/**
 * Facebook Pages; profiles and groups have no API. Facebook fetches the media by URL. A photo or reel has an id before it is
 * visible, which gives the outcome at any time; a plain video is searched for among the Page's videos, a story among its stories, and
 * text alone among its posts.
 */
export const facebook: Platform = {
  key: 'facebook',
  proof: { image: 'handle', video: 'handle', text: 'searchable' },
  publishTimeoutMs: 45_000,
  // Lists lag by some seconds. A plain video takes longer, and is reported absent later.
  visibleWithinMs: 30_000,
  takes: TAKES,
  takesFor,
  credentials: credentialsSchema,
  renewsAccessToken: true,
  connect,
  removals: { ...removals, ownerId },
  logins: [{ permissions, optional, authorization }],
  check: brokenRules,
  measure,
  warnings,
  prepare: function (job, io, earlier) {
    return prepare(takingFor(this, job.options), job, io, earlier)
  },
  publish,
  find,
  findByContent,
  unpublish,
  edit,
  firstComment,
  conversation,
  versions,
}
