import { Refusal } from '../domain/core/errors.ts'
import {
  isLiveDraft,
  type DraftContent,
  type DraftEvent,
  type DraftState,
  type LiveDraft,
  type SavedDraft,
} from '../domain/post/draft.ts'

/** Saving the same draft again is a no-op. */
export function createDraft(state: DraftState, saved: SavedDraft): readonly DraftEvent[] {
  return state.status === 'absent' ? [{ type: 'DraftSaved', data: saved }] : []
}

export interface DraftChange {
  readonly content: (before: DraftContent) => DraftContent
  readonly visibility?: SavedDraft['visibility'] | undefined
}

/**
 * Saving without a change is a no-op.
 *
 * @param editorId the id of the key or the user
 * @throws Refusal not_found, failed_precondition once it is a post, forbidden if another than its author changes who sees it
 */
export function saveDraft(state: DraftState, change: DraftChange, editorId: string): readonly DraftEvent[] {
  const { status, ...before } = mustBeLive(state)
  if (status === 'published') {
    throw new Refusal('failed_precondition', 'The draft is a post already. Edit the post if it is scheduled.')
  }
  const visibility = change.visibility ?? before.visibility
  if (visibility !== before.visibility && before.authorId !== editorId) {
    throw new Refusal('forbidden', 'Only the author of a draft can change who sees it.')
  }
  const after = { ...before, visibility, content: change.content(before.content) }
  return JSON.stringify(after) === JSON.stringify(before) ? [] : [{ type: 'DraftSaved', data: after }]
}

/** Records which post it became. @throws Refusal not_found */
export function publishDraft(state: DraftState, postId: string): readonly DraftEvent[] {
  return mustBeLive(state).status === 'open' ? [{ type: 'DraftPublished', data: { postId } }] : []
}

/** @throws Refusal not_found */
export function deleteDraft(state: DraftState): readonly DraftEvent[] {
  mustBeLive(state)
  return [{ type: 'DraftDeleted', data: {} }]
}

function mustBeLive(state: DraftState): LiveDraft {
  if (isLiveDraft(state)) return state
  throw new Refusal('not_found', 'No such draft.')
}
