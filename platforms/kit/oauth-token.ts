import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import { PlatformError, type Credentials, type PlatformIo } from './platform.ts'

/** Vault fields of every account with OAuth tokens, in addition to those of its platform. */
export const tokenFields = {
  accessToken: z.string().min(1).describe('OAuth access token of the account'),
  refreshToken: z.string().min(1).optional().describe('OAuth refresh token, used to obtain a new access token'),
  expiresAt: z.iso
    .datetime()
    .optional()
    .describe('when the access token expires, ISO 8601 UTC; absent: unknown or never'),
}

/** How one platform renews its tokens. */
export interface TokenRenewal {
  /** How long (ms) before it expires a token is renewed. */
  readonly aheadMs: number
  /**
   * Requests new tokens. Called by one caller at a time across all processes; the result is stored before it is used.
   *
   * @throws PlatformError, `needs-reauth` when the account's owner has to connect it again
   */
  refresh(stale: Credentials, io: PlatformIo): Promise<Credentials>
  /** Whether a call was refused, without effect, because its token has expired. */
  isExpired(error: unknown): boolean
}

/** Maximum renewals per piece of work: a new token may be invalidated before it is used. */
export const MOST_RENEWALS = 3

/**
 * Runs work with the account's token. Renews it when it is about to expire and, up to `MOST_RENEWALS` times, when the platform
 * says that it has expired. A call refused for its token had no effect, so the work is repeated.
 *
 * @throws PlatformError
 */
export async function withToken<T>(
  io: PlatformIo,
  renewal: TokenRenewal,
  work: (token: string, credentials: Credentials) => Promise<T>,
): Promise<T> {
  const renewed = (stale: Credentials) => io.credentials.renew(stale, (current) => renewal.refresh(current, io))
  const stored = await io.credentials.read()
  const left = Date.parse(stored['expiresAt'] ?? '') - io.clock.now()
  let current = left < renewal.aheadMs ? await renewed(stored).catch(orStill(stored, left)) : stored
  for (let renewals = 0; ;) {
    try {
      return await work(tokenOf(current), current)
    } catch (error) {
      if (!renewal.isExpired(error) || renewals === MOST_RENEWALS) throw error
      const fresh = await renewed(current)
      // An unchanged token gets one more try: it may have been refused by mistake.
      renewals = tokenOf(fresh) === tokenOf(current) ? MOST_RENEWALS : renewals + 1
      current = fresh
    }
  }
}

/** A token whose early renewal failed is valid until it expires. */
function orStill(stored: Credentials, leftMs: number): (error: unknown) => Credentials {
  return (error) => {
    if (error instanceof PlatformError && leftMs > 0) return stored
    throw error
  }
}

/** When (ISO 8601 UTC) a token expires that is valid for this many seconds from now. */
export function expiryOf(expiresInSeconds: number, now: number): string {
  return isoTime(now + expiresInSeconds * 1000)
}

function tokenOf({ accessToken }: Credentials): string {
  if (accessToken) return accessToken
  throw new PlatformError('needs-reauth', 'The stored credentials have no access token. Connect the account again.')
}
