import { Refusal } from '../../../domain/core/errors.ts'
import { workspace } from '../../../domain/workspace/workspace.ts'
import { endWorkspace } from '../../../commands/end-workspace.ts'
import { load, type Cause } from '../../../commands/handle.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import type { Core } from '../../wiring/core.ts'
import type { Projector } from '../../../projections/engine/projector.ts'
import { liftHold } from '../../../infra/postgres/holds.ts'
import { WHOLE_LOG, importUnderWay } from './import-hold.ts'

export type AbandonDeps = Pick<Core, 'log' | 'clock' | 'vault'> & {
  readonly db: Database
  readonly projector: Pick<Projector, 'catchUp'>
}

export interface Abandoned {
  /** The workspace's id. */
  readonly abandoned: string
  /** The workspace's events, which stay in the log. */
  readonly events: number
  /** Active streams that were ended. */
  readonly ended: number
}

/**
 * Gives up an interrupted import of a workspace that cannot be completed. What exists of the workspace stays in the log but
 * becomes inactive (`endWorkspace`). The installation then resumes. If interrupted, it may be repeated.
 *
 * @param idOrName of the workspace, so that nobody gives up the wrong import
 * @throws Refusal failed_precondition
 */
export async function abandonImport(deps: AbandonDeps, idOrName: string, cause: Cause): Promise<Abandoned> {
  const { db, log, vault, projector } = deps
  const begun = await importUnderWay(db)
  if (!begun) throw new Refusal('failed_precondition', 'There is no unfinished import to abandon.')
  const { hold, of, since } = begun
  if (of === WHOLE_LOG) {
    const how = 'see docs/moving.md to go back to the old log.'
    throw new Refusal('failed_precondition', `The import that started at ${since} is of the whole log: ${how}`)
  }
  const state = await load(log, workspace, of)
  const names = 'name' in state ? [of, state.name] : [of]
  if (!names.includes(idOrName)) {
    const what = `is of the workspace ${names.toReversed().join(' with the id ')}`
    throw new Refusal('failed_precondition', `The import that started at ${since} ${what}, not of ${idOrName}.`)
  }
  const { events, ended, accountIds } = await endWorkspace(deps, of, cause)
  for (const id of accountIds) await vault.remove(id)
  await projector.catchUp()
  await liftHold(db, hold)
  return { abandoned: of, events, ended }
}
