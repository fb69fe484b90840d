import type { Vault } from '../../infra/postgres/vault.ts'
import { PlatformError, type Credentials, type PlatformAccount, type PlatformIo } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

const REVOKE_TIMEOUT_MS = 10_000

/**
 * Revokes the access to a disconnected account on its platform, and deletes the credentials. Those of an account that is connected
 * again in the meantime are kept.
 *
 * @returns false when the platform could not be reached: the credentials are then kept for another try
 */
export async function endAccess(
  { access, vault }: { readonly access: PlatformAccess; readonly vault: Vault },
  account: PlatformAccount,
  signal = new AbortController().signal,
): Promise<boolean> {
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
    await access.run(account, REVOKE_TIMEOUT_MS, signal, async (io) => {
      await access.platform(account.platform).revoke?.(account, notedIn(io))
    })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.kind === 'retryable') return false
  }
  await vault.remove(account.id, seen)
  return true
}
