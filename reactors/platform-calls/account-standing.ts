import { account } from '../../domain/account/account.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { requireReauth, restAccount } from '../../commands/account-standing.ts'
import { handle, type CommandDeps } from '../../commands/handle.ts'
import type { PlatformError } from '../../platforms/kit/platform.ts'

/**
 * Records what a failure says about the whole account: that it has to rest, or to be reconnected. Its other posts then wait, or
 * fail, without a call to the platform.
 *
 * @param work identifies the work that failed, so that recording it twice is harmless
 */
export async function noteStanding(
  deps: CommandDeps,
  accountId: string,
  failure: PlatformError,
  work: string,
): Promise<void> {
  const { kind, accountRests, message: reason, retryAfterMs: forMs } = failure
  if (kind !== 'needs-reauth' && !accountRests) return
  const cause = {
    commandId: derivedId(work, 'standing', kind),
    actor: { kind: 'reactor', id: 'publish' },
    correlationId: accountId,
  } as const
  await handle(deps, account, accountId, cause, (state) =>
    accountRests ? restAccount(state, { reason, forMs }, deps.clock.now()) : requireReauth(state, reason),
  )
}
