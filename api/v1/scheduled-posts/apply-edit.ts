import type * as z from 'zod'
import type { PostEdit } from '../../../commands/schedule-post.ts'
import type { PostContent, PostState } from '../../../domain/post/post.ts'
import type { ScheduledPostRow } from '../../../projections/models/scheduled-posts.ts'
import type { Services } from '../../kit/services.ts'
import { withAltTexts } from '../posts/alt-texts.ts'
import { changedPost, type editPostBody } from '../posts/post-changes.ts'
import { atNextSlot, NEXT_SLOT, releaseSlot } from '../slots/next-slot.ts'

/**
 * Edits a scheduled post, or moves it, also to the next free slot.
 *
 * @param save appends an edit; returns the post afterwards
 * @throws Refusal as `atNextSlot`, and what `save` throws
 */
export async function applyEdit(
  deps: Pick<Services, 'db' | 'log' | 'clock'>,
  before: Pick<ScheduledPostRow, 'id' | 'workspaceId' | 'selections' | 'dueAt'>,
  { scheduledFor, scheduledAtUtc, date, time, timezone, ...content }: z.output<typeof editPostBody>,
  save: (edit: PostEdit) => Promise<PostState>,
): Promise<PostState> {
  const toSlot = scheduledFor === NEXT_SLOT
  const moment = toSlot ? undefined : (scheduledFor ?? scheduledAtUtc)
  const local = { ...(date && { date }), ...(time && { time }), ...(timezone && { timezone }) }
  const changes = await withAltTexts(deps, before.workspaceId, content)
  const edit: PostEdit = {
    ...(isGiven(content) && { content: (was: PostContent) => changedPost(was, changes) }),
    ...(moment === undefined ? isGiven(local) && { time: local } : { time: { scheduledAtUtc: moment } }),
  }
  const { id, workspaceId, dueAt } = before
  const target = { id, workspaceId, selections: content.selections ?? before.selections }
  const after = toSlot ? await atNextSlot(deps, target, (due) => save({ ...edit, time: due })) : await save(edit)
  if (!('due' in after) || after.due.dueAt !== dueAt) await releaseSlot(deps.db, { workspaceId, id, dueAt })
  return after
}

function isGiven(fields: object): boolean {
  return Object.values(fields).some((value) => value !== undefined)
}
