import { handle, load } from '../../commands/handle.ts'
import { deleteDraft, publishDraft } from '../../commands/draft.ts'
import { queuePost } from '../../commands/queue-post.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { draft, isLiveDraft } from '../../domain/post/draft.ts'
import { post } from '../../domain/post/post.ts'
import { findDraft, listDrafts } from '../../projections/models/drafts.ts'
import { presentDraft } from '../../api/v1/drafts/draft-schemas.ts'
import { postIdOf } from '../../api/v1/drafts/drafts.ts'
import { wholeContent } from '../../api/v1/posts/whole-content.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

/** Listed at once. */
const MOST_LISTED = 1_000

/** All drafts of a workspace, private ones as well. */
export async function draftsOf(core: Core, workspace: string) {
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  return (await listDrafts(core.db, { workspaceId, limit: MOST_LISTED }, undefined)).map(presentDraft)
}

/** @throws Refusal not_found */
export async function showDraft({ db }: Core, id: string) {
  const row = await findDraft(db, id)
  if (!row) throw new Refusal('not_found', `There is no draft ${id}.`)
  return presentDraft(row)
}

/** @throws Refusal not_found */
export async function removeDraft(core: Core, id: string): Promise<{ id: string; deleted: true }> {
  await settled(core, await handle(core, draft, id, commandLineCause(core.ids), deleteDraft))
  return { id, deleted: true }
}

/** Publishes a draft; again, it is the same post. @throws Refusal not_found, or invalid_request naming what is missing */
export async function publishDraftNow(core: Core, draftId: string) {
  const state = await load(core.log, draft, draftId)
  if (!isLiveDraft(state)) throw new Refusal('not_found', `There is no draft ${draftId}.`)
  const id = postIdOf(draftId)
  if (state.status === 'open') {
    const { workspaceId } = state
    const command = { ...wholeContent(state.content, 'the draft'), workspaceId, origin: 'api' } as const
    await handle(core, post, id, commandLineCause(core.ids), (before) => queuePost(before, command))
    const cause = commandLineCause(core.ids)
    await settled(core, await handle(core, draft, draftId, cause, (before) => publishDraft(before, id)))
  }
  return { id, draftId }
}
