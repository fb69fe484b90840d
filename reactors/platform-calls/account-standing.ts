import { account } from '../../domain/account/account.ts'
import type { Capability, Limits } from '../../domain/account/capability.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { liftLimit, limitAccount, requireReauth, restAccount } from '../../commands/account-standing.ts'
import { handle, type Cause, type CommandDeps } from '../../commands/handle.ts'
import { permissionsOf } from '../../platforms/kit/permissions.ts'
import type { Platform, PlatformError } from '../../platforms/kit/platform.ts'

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
  await handle(deps, account, accountId, causeOf(accountId, 'publish', work, 'standing', kind), (state) =>
    accountRests ? restAccount(state, { reason, forMs }, deps.clock.now()) : requireReauth(state, reason),
  )
}

/** One capability of an account, as one piece of work uses it. */
export interface Use {
  readonly accountId: string
  readonly capability: Capability
  readonly platform: Platform
  /** The name of the reactor. */
  readonly by: string
  /** Identifies the work, so that recording its outcome twice is harmless. */
  readonly work: string
  /** Whether it has failed before. Most outages are over by the next attempt, so the first failure is not recorded. */
  readonly isRepeated?: boolean
}

/** Records why the platform refuses a capability, if that outlasts the call. */
export async function noteLimit(
  deps: CommandDeps,
  { accountId, capability, platform, by, work, isRepeated = false }: Use,
  { limit: cause, message: reason }: PlatformError,
): Promise<void> {
  if (cause === undefined || (cause === 'platform_outage' && !isRepeated)) return
  const lacking =
    cause === 'permission_missing' ? platform.logins.flatMap((login) => permissionsOf(login, {})[capability] ?? []) : []
  const permission = [...new Set(lacking)].filter((each) => reason.includes(each)).join(' ')
  const limit = { cause, reason, ...(permission !== '' && { permission }) }
  await handle(deps, account, accountId, causeOf(accountId, by, work, 'limit', capability), (state) =>
    limitAccount(state, capability, limit),
  )
}

/** Records that a capability works. @param limits of the account when the work began */
export async function noteSuccess(
  deps: CommandDeps,
  { accountId, capability, by, work }: Use,
  limits: Limits | undefined,
): Promise<void> {
  if (limits?.[capability] === undefined) return
  await handle(deps, account, accountId, causeOf(accountId, by, work, 'lift', capability), (state) =>
    liftLimit(state, capability),
  )
}

function causeOf(accountId: string, by: string, ...work: readonly string[]): Cause {
  return { commandId: derivedId(...work), actor: { kind: 'reactor', id: by }, correlationId: accountId }
}
