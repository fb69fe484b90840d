import { eraseClosedWorkspace } from '../../commands/close-workspace.ts'
import { endWorkspace } from '../../commands/end-workspace.ts'
import { erasePersonalData, requestErasure } from '../../commands/erasure.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { account } from '../../domain/account/account.ts'
import { streamName } from '../../domain/core/event.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { erasure } from '../../domain/workspace/erasure.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { PlatformAccount } from '../../platforms/kit/platform.ts'
import { isBusy } from '../../projections/models/workspaces.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import { deleteWorkspaceData, handOverSecondSteps } from './workspace-data.ts'

export interface EraseWorkspaceDeps extends CommandDeps {
  readonly db: Database
  readonly vault: Pick<Vault, 'find' | 'put'>
  /** Ends the access to a disconnected account (`reactors/accounts/end-access.ts`). */
  endAccess(account: PlatformAccount, isLast: boolean, signal: AbortSignal): Promise<boolean>
}

/** How long (ms) the erasure of its comments usually takes. */
const ERASED_WITHIN_MS = 40_000
/** How long (ms) posts that are being published are waited for: their events would come after the end. */
const LONGEST_WORK_MS = 3_600_000
/** Until it is looked at again, ms. */
const AGAIN_MS = 10_000

/**
 * Erases a closed workspace: ends what runs in it, erases its comments, which waits until their deliveries and replies have
 * ended, and then deletes its keys, without which nothing personal in its events can be read. The last event removes its rows from
 * the read models. All of it is repeatable.
 */
export function workspaceEraser(deps: EraseWorkspaceDeps) {
  return (workspaceId: string, signal: AbortSignal): Promise<WorkResult> => eraseWorkspace(deps, workspaceId, signal)
}

async function eraseWorkspace(deps: EraseWorkspaceDeps, workspaceId: string, signal: AbortSignal): Promise<WorkResult> {
  const { log, clock } = deps
  const state = await load(log, workspace, workspaceId)
  if (state.status !== 'closed') return DONE
  const erasureId = resourceId('ers', derivedUlid('erase', workspaceId))
  const { status } = await load(log, erasure, erasureId)
  const causedBy = (step: string) => ({ commandId: derivedId(step, erasureId), actor: ACTOR, correlationId: erasureId })
  if (status === 'running') return park(clock.now() + AGAIN_MS)
  const isLast = status === 'finished'
  const waitsUntil = Date.parse(state.closedAt) + LONGEST_WORK_MS
  if (isLast && clock.now() < waitsUntil && (await isBusy(deps.db, workspaceId))) return park(clock.now() + AGAIN_MS)
  // For the last time too: a request that was in progress may have begun more.
  const { accountIds, feedIds, endedUsers } = await endWorkspace(
    deps,
    workspaceId,
    causedBy(isLast ? 'end-last' : 'end'),
    signal,
  )
  for (const id of accountIds) {
    const found = await load(log, account, id)
    if (found.status !== 'absent') await deps.endAccess({ ...found, id }, isLast, signal)
  }
  if (!isLast) {
    const filter = { workspaceId, before: isoTime(clock.now() + 1) }
    await handle(deps, erasure, erasureId, causedBy('request'), (before) => requestErasure(before, filter))
    return park(clock.now() + ERASED_WITHIN_MS)
  }
  await handOverSecondSteps(deps, workspaceId)
  await deleteWorkspaceData(deps.db, { workspaceId, feedIds, endedUsers }, erasureId, isoTime(clock.now()))
  for (const id of accountIds) await erasePersonalData(deps, streamName(account, id), erasureId)
  await handle(deps, workspace, workspaceId, causedBy('erased'), eraseClosedWorkspace)
  return DONE
}

const ACTOR = { kind: 'reactor', id: 'erase' } as const
