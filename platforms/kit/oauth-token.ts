import { z } from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import { PlatformError, type Credentials, type PlatformIo } from './platform.ts'

/** What every account with OAuth tokens keeps in the vault, beside what its platform adds. */
export const tokenFields = {
  accessToken: z.string().min(1).describe('OAuth access token of the account'),
  refreshToken: z.string().min(1).optional().describe('OAuth refresh token, with which a new access token is had'),
  expiresAt: z.iso.datetime().optional().describe('when the access token ends, ISO 8601 UTC; absent: unknown or never'),
}

/** How one platform renews its tokens. */
export interface TokenRenewal {
  /** How long (ms) before its end a token is renewed. */
  readonly aheadMs: number
  /**
   * Asks for new tokens. Called by one caller at a time over all processes; what it gives is stored before it is used.
   *
   * @throws PlatformError, `needs-reauth` when the account's owner has to connect it again
   */
  refresh(stale: Credentials, io: PlatformIo): Promise<Credentials>
  /** Whether a call was refused, without effect, because its token has ended. */
  isExpired(error: unknown): boolean
}

/** How often a token is renewed for one piece of work: another may have been made void before it could be used. */
export const MOST_RENEWALS = 3

/**
 * Does work with the account's token: renewed first when it is about to end, and whenever the platform says that it has,
 * a few times at most. What was refused for its token has had no effect, so it is done again.
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
      // One that is renewed no further is tried once more, as it may have been refused by mistake.
      renewals = tokenOf(fresh) === tokenOf(current) ? MOST_RENEWALS : renewals + 1
      current = fresh
    }
  }
}

/** A token that could not be renewed ahead is good until its end. */
function orStill(stored: Credentials, leftMs: number): (error: unknown) => Credentials {
  return (error) => {
    if (error instanceof PlatformError && leftMs > 0) return stored
    throw error
  }
}

/** The time (ISO 8601 UTC) at which a token that lives for so many seconds from now ends. */
export function expiryOf(expiresInSeconds: number, now: number): string {
  return isoTime(now + expiresInSeconds * 1000)
}

function tokenOf({ accessToken }: Credentials): string {
  if (accessToken) return accessToken
  throw new PlatformError('needs-reauth', 'The stored credentials have no access token. Connect the account again.')
}
