import { Refusal } from '../domain/errors.ts'
import type { CommentContent, CommentEvent, CommentState } from '../domain/comment.ts'

/** Puts down a comment that was fetched, once; later only that the account has answered it meanwhile. */
export function receiveComment(state: CommentState, content: CommentContent): readonly CommentEvent[] {
  if (state.status === 'absent') return [{ type: 'CommentReceived', data: content }]
  return content.replied && !state.replied ? [{ type: 'CommentAnswered', data: {} }] : []
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
