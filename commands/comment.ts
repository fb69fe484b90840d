import { Refusal } from '../domain/core/errors.ts'
import type { CommentContent, CommentEvent, CommentState, ReceivedComment } from '../domain/conversation/comment.ts'

/** Records a fetched comment once; later fetches record only that the account has replied in the meantime. */
export function receiveComment(state: CommentState, content: CommentContent): readonly CommentEvent[] {
  if (state.status === 'absent') return [{ type: 'CommentReceived', data: content }]
  return content.replied && !state.replied ? [{ type: 'CommentAnswered', data: {} }] : []
}

/** Makes a reply the comment's draft, unless the draft is no longer `before`. */
export function openDraft(state: CommentState, replyId: string, before: string | undefined): readonly CommentEvent[] {
  if (state.status === 'absent' || state.draft?.replyId !== before) return []
  return [{ type: 'DraftOpened', data: { replyId } }]
}

/** Claims the comment for a reply that is about to be sent. No-op when the latest claim is already for that reply. */
export function claimReply(state: CommentState, replyId: string): readonly CommentEvent[] {
  if (state.status === 'absent' || state.claims.at(-1)?.replyId === replyId) return []
  return [{ type: 'ReplyClaimed', data: { replyId } }]
}

interface Named {
  readonly workspaceId: string
  readonly platform: string
}

/**
 * Marks the comment as handled without a reply. Idempotent.
 *
 * @throws Refusal not_found when it was never fetched, was erased, or belongs to another workspace or platform
 */
export function dismissComment(state: CommentState, named: Named): readonly CommentEvent[] {
  return mustBeReceived(state, named).dismissed ? [] : [{ type: 'CommentDismissed', data: {} }]
}

/**
 * Assigns the comment, or to nobody by null. Of several who do so at once, the last one counts.
 *
 * @throws Refusal as `dismissComment`
 */
export function assignComment(state: CommentState, named: Named, assigneeId: string | null): readonly CommentEvent[] {
  const { assigneeId: before = null } = mustBeReceived(state, named)
  return assigneeId === before ? [] : [{ type: 'CommentAssigned', data: { assigneeId } }]
}

function mustBeReceived(state: CommentState, { workspaceId, platform }: Named): ReceivedComment {
  if (state.status === 'absent' || state.isErased || state.workspaceId !== workspaceId || state.platform !== platform) {
    throw new Refusal('not_found', 'No such comment.')
  }
  return state
}
