import { disconnectAccount } from '../../commands/disconnect-account.ts'
import { handle, load } from '../../commands/handle.ts'
import { finishRemoval } from '../../commands/removal.ts'
import { account } from '../../domain/account/account.ts'
import { removal } from '../../domain/account/removal.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { DONE, park, type Reactor, type WorkResult } from '../runtime/reactor.ts'
import { eraseAccount, type RetainDeps } from './retain.ts'

export type RemoveDeps = Omit<RetainDeps, 'retention' | 'ownerOf'>

/**
 * Disconnects the accounts of a person who has removed the app, and erases them if the person asks for it; otherwise that is left to
 * `retain.ts`. All of it is repeatable.
 */
export function removeReactor(deps: RemoveDeps): Reactor {
  return async ({ subject: id }, signal) => {
    const state = await load(deps.log, removal, id)
    if (state.status !== 'running') return DONE
    const results: WorkResult[] = []
    for (const accountId of state.accountIds) {
      signal.throwIfAborted()
      results.push(await removeAccount(deps, { ...state, id, accountId }, signal))
    }
    const waits = results.flatMap((result) => (result.kind === 'park' ? [result.until] : []))
    if (waits.length > 0) return park(Math.min(...waits))
    await handle(deps, removal, id, causeOf('finish', id), finishRemoval)
    return DONE
  }
}

async function removeAccount(
  deps: RemoveDeps,
  of: { readonly id: string; readonly accountId: string; readonly requestedAt: string; readonly erases: boolean },
  signal: AbortSignal,
): Promise<WorkResult> {
  const { id, accountId, requestedAt, erases } = of
  const { state } = await handle(deps, account, accountId, causeOf(accountId, id), (before) =>
    before.status === 'connected' && before.connectedAt <= requestedAt ? disconnectAccount(before) : [],
  )
  // Connected again in the meantime, by a person who wants it.
  if (state.status !== 'disconnected' || !erases) return DONE
  const { workspaceId, connectedAt, disconnectedAt = connectedAt } = state
  await deps.endAccess({ ...state, id: accountId }, true, signal)
  return eraseAccount(deps, { workspaceId, accountId, disconnectedAt })
}

function causeOf(step: string, id: string) {
  const actor = { kind: 'reactor', id: 'remove' } as const
  return { commandId: derivedId('remove', id, step), actor, correlationId: id }
}
