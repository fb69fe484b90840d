import type { Database } from '../../infra/postgres/pool.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import { PlatformError, type Credentials, type PlatformAccount, type PlatformIo } from '../../platforms/kit/platform.ts'
import { isConnectedElsewhere } from '../../projections/models/accounts.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

const REVOKE_TIMEOUT_MS = 10_000

/**
 * Revokes the access to a disconnected account on its platform, and deletes the credentials. Access that another workspace has to
 * the same account is not revoked, and credentials of an account that is connected again in the meantime are kept.
 *
 * @param options.isLast deletes the credentials even if the platform cannot be reached
 * @returns false when it could not be reached: the credentials are then kept for another try
 */
export async function endAccess(
  { db, access, vault }: { readonly db: Database; readonly access: PlatformAccess; readonly vault: Vault },
  account: PlatformAccount,
  options: { readonly isLast?: boolean; readonly signal?: AbortSignal } = {},
): Promise<boolean> {
  const { isLast = false, signal = new AbortController().signal } = options
  let seen = await vault.find(account.id)
  if (!seen) return true
  const noted = (credentials: Credentials) => (seen = credentials)
  const notedIn = ({ credentials, ...io }: PlatformIo): PlatformIo => ({
    ...io,
    credentials: {
      read: async () => noted(await credentials.read()),
      renew: async (stale, renew) => noted(await credentials.renew(stale, renew)),
    },
  })
  try {
    if (!(await isConnectedElsewhere(db, account)))
      await access.run(account, REVOKE_TIMEOUT_MS, signal, async (io) => {
        await access.platform(account.platform).revoke?.(account, notedIn(io))
      })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.kind === 'retryable' && !isLast) return false
  }
  await vault.remove(account.id, seen)
  return true
}
