import { PlatformError, type PlatformAccount } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

const LOOK_TIMEOUT_MS = 10_000

/**
 * Looks up who granted the access to an account.
 *
 * @returns without `ownerId` if nobody but the account itself did, or if that cannot be told; `isUnreachable` if the platform
 *   cannot be asked now
 */
export async function ownerOf(
  access: PlatformAccess,
  account: PlatformAccount,
  signal: AbortSignal,
): Promise<{ readonly ownerId?: string | undefined; readonly isUnreachable?: boolean }> {
  const { removals } = access.platform(account.platform)
  if (!removals?.ownerId) return {}
  try {
    const ownerId = await access.run(account, LOOK_TIMEOUT_MS, signal, async (io) => removals.ownerId?.(account, io))
    return { ownerId }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { isUnreachable: error.kind === 'retryable' || error.kind === 'ambiguous' }
  }
}
