import type { Platform } from '../platform.ts'
import { connect } from './connect.ts'
import { firstComment } from './first-comment.ts'
import { prepare } from './prepare.ts'
import { find, publish } from './publish.ts'
import { brokenRules, TAKES } from './rules.ts'
import { givenCredentials } from './session.ts'

/**
 * Instagram, for business and creator accounts: through Instagram login or through the Facebook Page that the account is
 * linked to. A container is made, in which Instagram fetches the media by its URL, and then published; the container tells
 * at any time whether it was.
 */
export const instagram: Platform = {
  key: 'instagram',
  proof: { image: 'handle', video: 'handle' },
  // A container that has just been published may still be called finished.
  visibleWithinMs: 10_000,
  takes: TAKES,
  credentials: givenCredentials,
  connect,
  check: brokenRules,
  prepare: function (job, io, earlier) {
    return prepare(this, job, io, earlier)
  },
  publish,
  find,
  firstComment,
}
