import { noteExpiry } from '../../commands/account-standing.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { account } from '../../domain/account/account.ts'
import { derivedId } from '../../domain/core/ids.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { accessEnd } from '../../platforms/kit/access-end.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

/** How long (ms) before the end of its access an account is reported. */
const AHEAD_MS = 7 * 86_400_000
/** The access may be renewed at any time, so it is looked at this often (ms). */
const LOOK_AGAIN_MS = 86_400_000

/** Records that the access to an account is about to end, once for each end. Calls nobody. */
export function expiryReactor(
  deps: CommandDeps & { readonly vault: Pick<Vault, 'find'>; readonly access: Pick<PlatformAccess, 'platform'> },
): Reactor {
  const { log, clock, vault, access } = deps
  return async ({ subject: accountId, token }) => {
    const state = await load(log, account, accountId)
    if (state.status !== 'connected') return DONE
    const credentials = state.needsReauth === undefined ? await vault.find(accountId) : undefined
    const end = credentials && accessEnd(access.platform(state.platform), credentials)
    const left = end === undefined ? Infinity : Date.parse(end) - clock.now()
    if (end !== undefined && left <= AHEAD_MS) {
      const cause = {
        commandId: derivedId(token, end),
        actor: { kind: 'reactor', id: 'expiry' },
        correlationId: accountId,
      } as const
      await handle(deps, account, accountId, cause, (now) => noteExpiry(now, end))
      return park(clock.now() + LOOK_AGAIN_MS)
    }
    return park(clock.now() + Math.min(LOOK_AGAIN_MS, left - AHEAD_MS))
  }
}
