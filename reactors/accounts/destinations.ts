import { account } from '../../domain/account/account.ts'
import type { Destination, DestinationsOf } from '../../domain/account/destination.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { load, type CommandDeps } from '../../commands/handle.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'
import { createShares } from '../../infra/runtime/shares.ts'

/** Short (ms), because a user is waiting. */
const CALL_TIMEOUT_MS = 10_000
/** How many lists a process reads at once. */
const LISTS_AT_ONCE = 16
const RETRY_AFTER_S = 5

/** Concurrent reads are divided between workspaces. */
export function createDestinations({
  log,
  access,
  signal,
}: Pick<CommandDeps, 'log'> & { readonly access: PlatformAccess; readonly signal: AbortSignal }): DestinationsOf {
  const shares = createShares(LISTS_AT_ONCE)
  return async (id) => {
    const state = await load(log, account, id)
    if (state.status !== 'connected') return []
    const { platform, externalId, baseUrl, workspaceId } = state
    const { postDefaults } = access.platform(platform)
    if (!postDefaults) return []
    const giveBack = shares.take(workspaceId)
    if (!giveBack) {
      const message = `Too many lists of destinations are being read. Retry in ${RETRY_AFTER_S} seconds.`
      throw new Refusal('rate_limit_exceeded', message, { retryAfterS: RETRY_AFTER_S })
    }
    try {
      const known = { id, platform, externalId, baseUrl }
      return await access.run(known, CALL_TIMEOUT_MS, signal, async (io) => {
        const found = await postDefaults.destinations(known, io)
        // An account from before its posts had defaults has them in its credentials.
        const usual = state.postDefaults ?? postDefaults.from(await io.credentials.read())
        return found.map((one) => ({ ...one, isDefault: isPartOf(one.options, usual) }))
      })
    } catch (error) {
      throw error instanceof PlatformError ? new Refusal('failed_precondition', error.message) : error
    } finally {
      giveBack()
    }
  }
}

function isPartOf(options: Destination['options'], of: Destination['options']): boolean {
  return Object.entries(options).every(([name, value]) => of[name] === value)
}
