import * as z from 'zod'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { OAuthApp } from '../kit/authorization.ts'
import { expiryOf } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import { withQuery, type Session } from './graph.ts'
import { loginAnswer } from './login.ts'

const DAY_MS = 86_400_000
/** A 60-day token is renewed in its last ten days, and never within its first day: Meta refuses that. */
export const RENEW_AHEAD_MS = 10 * DAY_MS
const RENEWABLE_AFTER_MS = DAY_MS

export interface NewToken {
  readonly accessToken: string
  /** ISO 8601 UTC. */
  readonly expiresAt: string
  readonly issuedAt: string
}

const newToken = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

function tokenIn({ access_token: accessToken, expires_in: seconds }: z.infer<typeof newToken>, clock: Clock): NewToken {
  const now = clock.now()
  return { accessToken, expiresAt: expiryOf(seconds, now), issuedAt: expiryOf(0, now) }
}

/**
 * Exchanges the short-lived user token from the code for one that lasts 60 days.
 *
 * @param session with the short-lived token
 * @throws PlatformError
 */
export async function longLivedToken(
  platform: PlatformKey,
  grantType: string,
  { clientSecret = '' }: OAuthApp,
  { host, token }: Session,
  io: RestIo,
): Promise<Pick<NewToken, 'accessToken' | 'expiresAt'>> {
  const query = { grant_type: grantType, client_secret: clientSecret, access_token: token }
  const call = { method: 'GET', url: withQuery(`${host}/access_token`, query) } as const
  const { accessToken, expiresAt } = tokenIn(await loginAnswer(platform, call, token, newToken, io), io.clock)
  return { accessToken, expiresAt }
}

/**
 * Exchanges a long-lived user token for one of another 60 days.
 *
 * @throws PlatformError
 */
export async function renewedToken(
  { answered }: GraphApi<never>,
  grantType: string,
  { host, token }: Session,
  io: RestIo,
): Promise<NewToken> {
  const url = withQuery(`${host}/refresh_access_token`, { grant_type: grantType, access_token: token })
  return tokenIn(await answered({ method: 'GET', url }, token, newToken, io), io.clock)
}

/**
 * Renews a token to learn its expiry. A working token whose renewal is refused is less than a day old.
 *
 * @throws PlatformError
 */
export async function learnedLife(
  renew: () => Promise<NewToken>,
  clock: Clock,
): Promise<Pick<NewToken, 'expiresAt'> & Partial<NewToken>> {
  try {
    return await renew()
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'permanent') throw error
    return { expiresAt: expiryOf((59 * DAY_MS) / 1000, clock.now()) }
  }
}

/**
 * Returns the credentials with a new token. If an early renewal fails, the old token is kept, and the next call tries again.
 *
 * @throws PlatformError, `needs-reauth` for a token whose renewal is refused for good
 */
export async function renewedIfOld(
  stale: Credentials,
  renew: () => Promise<NewToken>,
  clock: Clock,
): Promise<Credentials> {
  const now = clock.now()
  // Too new to be renewed: only Meta knows whether it is still valid.
  if (now - Date.parse(stale['issuedAt'] ?? '') < RENEWABLE_AFTER_MS) return stale
  try {
    return { ...stale, ...(await renew()) }
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === 'needs-reauth') throw error
    if (now < Date.parse(stale['expiresAt'] ?? '')) return stale
    if (error.kind === 'retryable') throw error
    throw new PlatformError('needs-reauth', `${error.message} Connect the account again.`, { cause: error })
  }
}
