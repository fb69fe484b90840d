import { readFile } from 'node:fs/promises'
import { handle } from '../../commands/handle.ts'
import { schedulePost } from '../../commands/schedule-post.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { post, type PostState } from '../../domain/post/post.ts'
import { isTimeZone } from '../../domain/post/wall-time.ts'
import { scheduleAt } from '../../api/v1/posts/new-posts.ts'
import { importPlan, tryPlan, type ImportedRow } from '../../api/v1/scheduled-posts/import-plan.ts'
import { createPreview } from '../../reactors/publishing/preview.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

export interface ImportPostsOptions {
  readonly workspace: string
  readonly timezone: string
  readonly dryRun?: boolean
  readonly skipInvalid?: boolean
}

/**
 * Schedules posts from a CSV file, or only tries to. The same file again schedules nothing twice.
 *
 * @throws Refusal naming the option, the column or the row
 */
export async function importPosts(core: Core, file: string, options: ImportPostsOptions) {
  const { timezone, dryRun = false, skipInvalid = false } = options
  if (!isTimeZone(timezone))
    throw new Refusal('invalid_request', '--timezone must be an IANA name such as Europe/Berlin')
  const { id: workspaceId } = await oneWorkspace(core, options.workspace)
  const csv = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Refusal('invalid_request', `${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  })
  const name = derivedId('file', workspaceId, timezone, csv)
  const plan = { workspaceId, csv, timezone, onInvalid: skipInvalid ? 'skip' : 'reject', name } as const
  if (dryRun) return (await tryPlan({ ...core, previewPost: createPreview(core) }, plan)).map(shown)
  const rows = await importPlan(core, plan, ({ id, content, due }) =>
    scheduleAt(core, id, content, due, async (at) => {
      const decision = (state: PostState) =>
        schedulePost(state, content, at, core.clock.now(), { fields: 'scheduled_for' })
      const done = await handle(core, post, id, commandLineCause(core.ids), decision)
      await settled(core, done)
      return done.state
    }),
  )
  return rows.map(shown)
}

/** Without what a row does not have. */
function shown({ problems, warnings, ...row }: ImportedRow) {
  return { ...row, ...(problems.length > 0 && { problems }), ...(warnings.length > 0 && { warnings }) }
}
