import { Refusal } from '../domain/core/errors.ts'
import type { CommentContent, CommentEvent, CommentState } from '../domain/conversation/comment.ts'

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

/**
 * Marks the comment as handled without a reply. Idempotent.
 *
 * @throws Refusal not_found when it was never fetched, was erased, or belongs to another workspace or platform
 */
export function dismissComment(
  state: CommentState,
  { workspaceId, platform }: { readonly workspaceId: string; readonly platform: string },
): readonly CommentEvent[] {
  if (state.status === 'absent' || state.isErased || state.workspaceId !== workspaceId || state.platform !== platform) {
    throw new Refusal('not_found', 'No such comment.')
  }
  return state.dismissed ? [] : [{ type: 'CommentDismissed', data: {} }]
}
