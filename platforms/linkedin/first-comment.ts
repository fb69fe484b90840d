import { hasStatus } from '../kit/errors.ts'
import { repliedFirstComment, type FirstComment } from '../kit/first-comment.ts'
import { PlatformError } from '../kit/platform.ts'
import { conversation } from './conversation.ts'

/** A newly published post may not be available everywhere yet. */
const NOT_KNOWN_YET_MS = 10_000

const replied = repliedFirstComment(conversation, { referencesTo: ({ postId }) => ({ postUrn: postId }) })

/** A comment on the post. Whether a member's comment exists cannot be looked up. */
export const firstComment: FirstComment = {
  ...replied,
  post: async (...call) => {
    try {
      return await replied.post(...call)
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
      throw new PlatformError('retryable', error.message, { retryAfterMs: NOT_KNOWN_YET_MS, cause: error })
    }
  },
}
