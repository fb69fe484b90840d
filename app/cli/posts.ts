import { unpublishPost } from '../../commands/unpublish.ts'
import { editScheduledPost, type PostEdit } from '../../commands/schedule-post.ts'
import { handle } from '../../commands/handle.ts'
import { changedPost, editPostBody } from '../../api/v1/posts/post-changes.ts'
import { check } from '../../api/http/validation.ts'
import { presentPost } from '../../api/v1/posts/present-post.ts'
import { presentRow } from '../../api/v1/scheduled-posts/present-scheduled-post.ts'
import { atNextSlot, NEXT_SLOT, releaseSlot } from '../../api/v1/slots/next-slot.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { post, type PostContent } from '../../domain/post/post.ts'
import { findPost } from '../../projections/models/posts.ts'
import { findScheduledPost } from '../../projections/models/scheduled-posts.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'

/** A post, or one that is still scheduled. @throws Refusal not_found */
export async function showPost({ db }: Core, id: string) {
  const row = await findPost(db, id)
  if (row) return presentPost(row)
  const scheduled = await findScheduledPost(db, id)
  if (scheduled) return presentRow(scheduled)
  throw new Refusal('not_found', `There is no post ${id}.`)
}

export interface EditOptions {
  readonly caption?: string
  /** A time in UTC, or `next-slot`. */
  readonly at?: string
  readonly date?: string
  readonly time?: string
  readonly timezone?: string
}

/** Edits a scheduled post. @throws Refusal naming the field, or failed_precondition once publishing has started */
export async function editPost(core: Core, id: string, { at, ...options }: EditOptions) {
  const given = { ...options, ...(at !== undefined && { scheduledFor: at }) }
  const { caption, scheduledFor, date, time, timezone } = check(editPostBody, given, 'the command')
  const isMoved = [date, time, timezone].some((value) => value !== undefined)
  const edit = {
    ...(caption !== undefined && { content: (before: PostContent) => changedPost(before, { caption }) }),
    ...(isMoved && { time: { date, time, timezone } }),
    ...(scheduledFor !== undefined && scheduledFor !== NEXT_SLOT && { time: { scheduledAtUtc: scheduledFor } }),
  }
  const cause = commandLineCause(core.ids)
  const save = async (more: Partial<PostEdit> = {}) =>
    settled(
      core,
      await handle(core, post, id, cause, (state) => editScheduledPost(state, { ...edit, ...more }, core.clock.now())),
    )
  const before = await findScheduledPost(core.db, id)
  if (scheduledFor === NEXT_SLOT && before) await atNextSlot(core, before, async (due) => save({ time: due }))
  else await save()
  const after = await findScheduledPost(core.db, id)
  if (before && after?.dueAt !== before.dueAt) await releaseSlot(core.db, before)
  return showPost(core, id)
}

/** Deletes a post from the accounts given, or all. @throws Refusal as `unpublishPost` */
export async function unpublish(core: Core, id: string, accounts: readonly string[] | undefined) {
  const canUnpublish = (platform: PlatformKey) => core.access.platform(platform).unpublish !== undefined
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, post, id, cause, (state) => unpublishPost(state, accounts, canUnpublish)))
  return showPost(core, id)
}
