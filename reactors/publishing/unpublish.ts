import type { Target } from '../../domain/post/post.ts'
import type { FollowUpWork } from './follow-up.ts'

/** How a post is deleted from one account: the last part first, so that no reply outlives what it replies to. */
export function unpublishing(
  { access, key }: Pick<FollowUpWork, 'access' | 'key'>,
  { state, published }: Target,
): Pick<FollowUpWork, 'what' | 'calls' | 'call'> {
  const firstComment = state.step === 'published' ? state.firstComment : undefined
  const comment = firstComment?.step === 'posted' ? firstComment.postId : undefined
  const parts = [...published, ...(comment === undefined ? [] : [{ postId: comment }])]
  return {
    what: 'unpublish',
    calls: parts.length,
    call: async (account, io) => {
      for (const part of parts.toReversed()) await access.platform(key.platform).unpublish?.(account, part, io)
    },
  }
}
