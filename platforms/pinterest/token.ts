import { z } from 'zod'
import type { HttpResponse } from '../http.ts'
import { expiryOf, type TokenRenewal } from '../oauth-token.ts'
import { PlatformError, type Credentials, type PlatformIo } from '../platform.ts'
import { bodyOf, send, type RestCall } from '../rest.ts'
import { errorOf, PinterestRefusal, refused } from './errors.ts'

/**
 * Halfway through the 30 days of an access token: a refresh token lives for 60, so that an account may rest for 45 days
 * whenever it was used last.
 */
const RENEW_AHEAD_MS = 15 * 86_400_000

const tokens = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
})

/** @param apiUrl with the version, without a trailing slash */
export function renewalAt(apiUrl: string): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    refresh: (stale, io) => refreshed(apiUrl, stale, io),
    // A 401 of code 7 is a missing permission: a new token of the same grant has it no more than the old one.
    isExpired: (error) => error instanceof PinterestRefusal && error.status === 401 && error.code !== 7,
  }
}

/** The 60 days of a refresh token start anew with each renewal, and only the token of the newest answer is sure to work. */
async function refreshed(apiUrl: string, stale: Credentials, io: PlatformIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = stale
  if (!refreshToken || !clientId || !clientSecret) {
    // Ahead of its end the token is still good.
    if (Date.parse(stale['expiresAt'] ?? '') > io.clock.now()) return stale
    const message =
      'The Pinterest access token has ended, and to renew it refreshToken, clientId and clientSecret are needed. Connect the account again.'
    throw new PlatformError('needs-reauth', message)
  }
  const call: RestCall = {
    method: 'POST',
    url: `${apiUrl}/oauth/token`,
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    form: { grant_type: 'refresh_token', refresh_token: refreshToken },
  }
  const response = await send('pinterest', call, io)
  if (response.status !== 200) throw notRenewed(response, io)
  const fresh = bodyOf('pinterest', call, response, tokens)
  const now = io.clock.now()
  const { expiresAt: _, refreshExpiresAt: __, ...kept } = stale
  const refreshEnd = fresh.refresh_token === undefined ? undefined : fresh.refresh_token_expires_in
  return {
    ...kept,
    accessToken: fresh.access_token,
    refreshToken: fresh.refresh_token ?? refreshToken,
    ...(fresh.expires_in !== undefined && { expiresAt: expiryOf(fresh.expires_in, now) }),
    ...(refreshEnd !== undefined && { refreshExpiresAt: expiryOf(refreshEnd, now) }),
  }
}

function notRenewed(response: HttpResponse, io: PlatformIo): PlatformError {
  const { status } = response
  const { error, says } = errorOf(response)
  if (error === 'invalid_client') {
    return new PlatformError(
      'permanent',
      `Pinterest does not know the app: clientId or clientSecret is wrong (${says}).`,
    )
  }
  if (status === 400 || status === 401) {
    return new PlatformError('needs-reauth', `Pinterest did not renew the access. Connect the account again (${says}).`)
  }
  return refused(response, 'hidden', io.clock.now())
}
