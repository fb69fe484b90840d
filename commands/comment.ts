import { Refusal } from '../domain/core/errors.ts'
import type { CommentContent, CommentEvent, CommentState } from '../domain/conversation/comment.ts'

/** Puts down a comment that was fetched, once; later only that the account has answered it meanwhile. */
export function receiveComment(state: CommentState, content: CommentContent): readonly CommentEvent[] {
  if (state.status === 'absent') return [{ type: 'CommentReceived', data: content }]
  return content.replied && !state.replied ? [{ type: 'CommentAnswered', data: {} }] : []
}

/** Makes a reply the comment's draft, unless another one than `before` has become that meanwhile. */
export function openDraft(state: CommentState, replyId: string, before: string | undefined): readonly CommentEvent[] {
  if (state.status === 'absent' || state.draft?.replyId !== before) return []
  return [{ type: 'DraftOpened', data: { replyId } }]
}

/** Puts down that a reply is about to be sent; once more after the reply of another. */
export function claimReply(state: CommentState, replyId: string): readonly CommentEvent[] {
  if (state.status === 'absent' || state.claims.at(-1)?.replyId === replyId) return []
  return [{ type: 'ReplyClaimed', data: { replyId } }]
}

/**
 * Marks it as handled without a reply; doing so again changes nothing.
 *
 * @throws Refusal not_found when it was never fetched
 */
export function dismissComment(
  state: CommentState,
  { workspaceId, platform }: { readonly workspaceId: string; readonly platform: string },
): readonly CommentEvent[] {
  if (state.status === 'absent' || state.workspaceId !== workspaceId || state.platform !== platform) {
    throw new Refusal('not_found', 'No such comment.')
  }
  return state.dismissed ? [] : [{ type: 'CommentDismissed', data: {} }]
}
