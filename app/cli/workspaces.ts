import { Refusal } from '../../domain/core/errors.ts'
import { workspace, workspaceName } from '../../domain/workspace/workspace.ts'
import { mustGetName } from '../../api/kit/workspace-name.ts'
import { setUndo } from '../../commands/set-undo.ts'
import { setVoice } from '../../commands/set-voice.ts'
import { voice } from '../../domain/workspace/voice.ts'
import { createWorkspace, renameWorkspace } from '../../commands/create-workspace.ts'
import { handle } from '../../commands/handle.ts'
import type { Core } from '../wiring/core.ts'
import { findWorkspaces, listWorkspaces, type WorkspaceRow } from '../../projections/models/workspaces.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { commandLineCause } from './cause.ts'
import { secondsOf } from './seconds.ts'
import { settled } from './settled.ts'

export async function addWorkspace(core: Core, name: string): Promise<{ id: string; name: string }> {
  if ((await findWorkspaces(core.db, name)).length > 0) {
    throw new Refusal('failed_precondition', `A workspace named ${name} already exists.`)
  }
  const id = resourceId('ws', core.ids.ulid())
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, workspace, id, cause, (state) => createWorkspace(state, { name })))
  return { id, name }
}

/** @throws Refusal invalid_request, failed_precondition if another workspace has the name */
export async function rename(core: Core, idOrName: string, given: string): Promise<{ id: string; name: string }> {
  const found = await oneWorkspace(core, idOrName)
  const { data: name, error } = workspaceName.safeParse(given)
  if (error) throw new Refusal('invalid_request', `name ${error.issues[0]?.message}`)
  await mustGetName(core.db, found, name, core.settings.oidc?.workspace)
  const cause = commandLineCause(core.ids)
  await settled(core, await handle(core, workspace, found.id, cause, (state) => renameWorkspace(state, name)))
  return { id: found.id, name }
}

/** All workspaces, by name. */
export async function workspacesOf({ db }: Pick<Core, 'db'>) {
  const rows = await listWorkspaces(db)
  return rows.map(({ closedAt, slots: _, firstName: __, ...row }) => ({
    ...row,
    status: closedAt === null ? 'active' : 'being erased',
  }))
}

/** Shows how long posts can be taken back, or sets it. @throws Refusal invalid_request */
export async function undoOf(core: Core, workspaceName: string, text: string | undefined) {
  const { id, undoSeconds } = await oneWorkspace(core, workspaceName)
  if (text === undefined) return { id, undoSeconds }
  const seconds = secondsOf(text, '--seconds')
  await settled(core, await handle(core, workspace, id, commandLineCause(core.ids), (state) => setUndo(state, seconds)))
  return { id, undoSeconds: seconds }
}

/** Shows how texts of the workspace are to be written, or sets it. @throws Refusal invalid_request */
export async function brandVoice(core: Core, workspaceName: string, given: string | undefined) {
  const { id, voice: text } = await oneWorkspace(core, workspaceName)
  if (given === undefined) return { id, text }
  const { data, error } = voice.safeParse(given)
  if (error) throw new Refusal('invalid_request', `--text ${error.issues[0]?.message}`)
  await settled(core, await handle(core, workspace, id, commandLineCause(core.ids), (state) => setVoice(state, data)))
  return { id, text: data }
}

/**
 * @throws Refusal not_found, invalid_request if several have the name, or failed_precondition if it is being erased
 */
export async function oneWorkspace(core: Pick<Core, 'db'>, idOrName: string): Promise<WorkspaceRow> {
  const [found, ...others] = await findWorkspaces(core.db, idOrName)
  if (!found)
    throw new Refusal(
      'not_found',
      `There is no workspace ${idOrName}; create one with: fanfare workspaces create ${idOrName}`,
    )
  if (others.length > 0)
    throw new Refusal('invalid_request', `Several workspaces are named ${idOrName}; use the id instead.`)
  if (found.closedAt !== null) throw new Refusal('failed_precondition', `The workspace ${idOrName} is being erased.`)
  return found
}
