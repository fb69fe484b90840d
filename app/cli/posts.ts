import { editPublished } from '../../commands/edit-published.ts'
import { unpublishPost } from '../../commands/unpublish.ts'
import { editScheduledPost, type PostEdit } from '../../commands/schedule-post.ts'
import { handle } from '../../commands/handle.ts'
import { editPostBody, editPublishedBody } from '../../api/v1/posts/post-changes.ts'
import { check } from '../../api/http/validation.ts'
import { withAuthors } from '../../api/v1/posts/authors.ts'
import { presentWholePost } from '../../api/v1/posts/present-post.ts'
import { withSandboxLinks } from '../../api/v1/posts/sandbox-links.ts'
import { applyEdit } from '../../api/v1/scheduled-posts/apply-edit.ts'
import { presentRow } from '../../api/v1/scheduled-posts/present-scheduled-post.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { post } from '../../domain/post/post.ts'
import { editRulesOf } from '../../reactors/publishing/edit.ts'
import { findPost, type PostRow } from '../../projections/models/posts.ts'
import { findScheduledPost, type ShownScheduledPost } from '../../projections/models/scheduled-posts.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Core } from '../wiring/core.ts'
import { sandboxPagesOf } from '../wiring/platform-settings.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'

async function authored<Row extends PostRow | ShownScheduledPost>(db: Database, row: Row) {
  const [of = row] = await withAuthors(db, row.workspaceId, [row])
  return of
}

/** A post, or one that is still scheduled. @throws Refusal not_found */
export async function showPost({ db, settings }: Core, id: string) {
  const row = await findPost(db, id)
  const [linked] = row ? await withSandboxLinks({ db, sandbox: sandboxPagesOf(settings) }, [row]) : []
  if (linked) return presentWholePost(await authored(db, linked))
  const scheduled = await findScheduledPost(db, id)
  if (scheduled) return presentRow(await authored(db, scheduled))
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

/** Edits a scheduled post, or the caption of a published one. @throws Refusal naming the field, or why that is not possible */
export async function editPost(core: Core, id: string, given: EditOptions) {
  if (await findPost(core.db, id)) return editPublishedPost(core, id, given)
  const { at, ...options } = given
  const body = check(editPostBody, { ...options, ...(at !== undefined && { scheduledFor: at }) }, 'the command')
  const cause = commandLineCause(core.ids)
  const save = async (edit: PostEdit) => {
    const done = await handle(core, post, id, cause, (state) => editScheduledPost(state, edit, core.clock.now()))
    await settled(core, done)
    return done.state
  }
  const before = await findScheduledPost(core.db, id)
  // One that was never scheduled is refused there.
  await (before ? applyEdit(core, before, body, save) : save({}))
  return showPost(core, id)
}

async function editPublishedPost(core: Core, id: string, options: EditOptions) {
  const edit = check(editPublishedBody, options, 'the command')
  const rulesOf = (platform: PlatformKey) => editRulesOf(core.access.platform(platform))
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, post, id, cause, (state) => editPublished(state, edit, rulesOf)))
  return showPost(core, id)
}

/** Deletes a post from the accounts given, or all. @throws Refusal as `unpublishPost` */
export async function unpublish(core: Core, id: string, accounts: readonly string[] | undefined) {
  const canUnpublish = (platform: PlatformKey) => core.access.platform(platform).unpublish !== undefined
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, post, id, cause, (state) => unpublishPost(state, accounts, canUnpublish)))
  return showPost(core, id)
}
