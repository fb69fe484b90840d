import type { Command } from 'commander'
import { erasureFilter } from '../../api/v1/erasures/erasures.ts'
import { erasureBody } from '../../api/v1/erasures/erasure-schemas.ts'
import { check } from '../../api/http/validation.ts'
import { closeWorkspace } from '../../commands/close-workspace.ts'
import { handle, load } from '../../commands/handle.ts'
import { erasePersonalData, requestErasure } from '../../commands/erasure.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { streamName } from '../../domain/core/event.ts'
import { member, memberIdOf } from '../../domain/workspace/member.ts'
import { user, userIdOf } from '../../domain/workspace/user.ts'
import { counted } from '../../domain/log/describe/wording.ts'
import { erasure, type ErasedCounts } from '../../domain/workspace/erasure.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { listUsers } from '../../projections/models/users.ts'
import { sizeOfWorkspace } from '../../projections/models/workspaces.ts'
import { eraseFurther } from '../../reactors/privacy/erase.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { Core } from '../wiring/core.ts'
import { commandLineCause } from './cause.ts'
import type { Output } from './output.ts'
import { inWorkspace, json, run, tell } from './run.ts'
import { settled } from './settled.ts'
import { removeFrom } from './users.ts'
import { oneWorkspace } from './workspaces.ts'

interface EraseOptions extends Output {
  readonly workspace: string
  readonly user?: string
  readonly author?: string
  readonly account?: string
  readonly before?: string
  readonly all?: true
  readonly everything?: true
  readonly yes?: true
}

/** `fanfare erase` (docs/privacy.md). */
export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description(
      'erase personal data for good: of comments and the replies to them, of a user, or of a whole workspace',
    )
    .addOption(inWorkspace())
    .option('--author <author>', 'of comments by this author: the name, or the id on the platform')
    .option('--account <accountId>', 'of comments on this account')
    .option('--before <time>', 'of comments received before, such as 2026-05-31T16:00:00Z; default: now')
    .option('--user <name>', 'the name of this user of the dashboard, who is removed from the workspace')
    .option('--all', 'of all comments of the workspace')
    .option('--everything', 'the whole workspace: everything in it ends, and it is gone')
    .option('--yes', 'erase; without it, only count what would be erased')
    .addOption(json())
    .addHelpText('after', '\nIt cannot be undone. What remains, and what backups keep: docs/privacy.md.')
    .action((options: EraseOptions, command: Command) => {
      const { author, account, before, all, user, everything } = options
      const isFiltered = author !== undefined || account !== undefined || before !== undefined
      const given = [isFiltered, all === true, user !== undefined, everything === true].filter(Boolean)
      if (given.length !== 1)
        command.error('error: give --author, --account or --before, or --all, or --user, or --everything')
      return run(options, (core) => {
        if (everything) return eraseEverything(core, options)
        return user === undefined ? erase(core, options) : eraseUser(core, options, user)
      })
    })
}

async function erase(
  core: Core,
  { workspace, account: accountId, author, before, all, yes }: EraseOptions,
): Promise<(ErasedCounts & { readonly next: string }) | (ErasedCounts & { readonly id: string })> {
  const given = { author, accountId, before, all }
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  const filter = await erasureFilter(core, check(erasureBody, given, 'the command'), { workspaceId })
  if (!yes) {
    return {
      ...(await core.erasableKeys.count(filter)),
      next: 'Nothing has been erased yet. To erase this, add --yes.',
    }
  }
  const id = resourceId('ers', core.ids.ulid())
  await handle(core, erasure, id, commandLineCause(core.ids), (state) => requestErasure(state, filter))
  await carryOut(core, id, workspaceId)
  return { id, ...(await core.erasableKeys.erased(workspaceId, id)) }
}

async function eraseUser(core: Core, { workspace, yes }: EraseOptions, name: string) {
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  const userId = userIdOf(name)
  const row = (await listUsers(core.db, workspaceId)).find(({ id }) => id === userId)
  if (!row) throw new Refusal('not_found', 'No such user.')
  if (!yes) return { user: userId, next: 'Nothing has been erased yet. To remove and erase this user, add --yes.' }
  if (!row.removed) await removeFrom(core, row)
  const id = resourceId('ers', core.ids.ulid())
  const filter = { workspaceId, userId, before: isoTime(core.clock.now() + 1) }
  await handle(core, erasure, id, commandLineCause(core.ids), (before) => requestErasure(before, filter))
  // A user from before encryption has no key: only the read models can follow.
  const state = await load(core.log, user, userId)
  const began = state.status !== 'absent' && state.workspaceId === workspaceId
  if (began) await erasePersonalData(core, streamName(user, userId), id)
  await erasePersonalData(core, streamName(member, memberIdOf(userId, workspaceId)), id)
  await carryOut(core, id, workspaceId)
  return { id, user: userId, erased: true }
}

async function eraseEverything(core: Core, { workspace: idOrName, yes }: EraseOptions) {
  const { id, name } = await oneWorkspace(core, idOrName)
  const counts = await sizeOfWorkspace(core.db, id)
  if (!yes) return { workspace: name, ...counts, next: 'Nothing has been erased yet. To erase all of this, add --yes.' }
  await settled(
    core,
    await handle(core, workspace, id, commandLineCause(core.ids), (state) => closeWorkspace(state, name)),
  )
  const next = 'The service now erases it, which takes a minute or more. Until then, workspaces list shows it.'
  return { workspace: name, status: 'being erased', next }
}

/** The service may be doing the same: each step is repeatable. */
async function carryOut(core: Core, id: string, workspaceId: string): Promise<void> {
  const { clock, erasableKeys: keys } = core
  const places = new Map<string, string>()
  for (;;) {
    const result = await eraseFurther({ ...core, keys }, id, new AbortController().signal, places)
    if (result.kind === 'done') break
    const { comments, replies, deliveries } = await keys.erased(workspaceId, id)
    const waitMs = Math.max(0, result.until - clock.now())
    const next = waitMs === 0 ? '' : `; looking for more in ${Math.round(waitMs / 1_000)} s`
    const kinds = [counted(replies, 'reply', 'replies'), counted(deliveries, 'delivery', 'deliveries')]
    tell(`… erased ${counted(comments, 'comment')}, ${kinds.join(', ')}${next}`)
    await clock.sleep(waitMs)
  }
  await settled(core, { position: await core.log.head() })
}
