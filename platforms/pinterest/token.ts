import { z } from 'zod'
import { appCredentials, type OAuthApp } from '../kit/authorization.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { expiryOf, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformErrorKind, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { errorOf, PinterestRefusal, refused } from './errors.ts'

/**
 * Renews halfway through an access token's 30 days. As a refresh token lives for 60 days, an account can then always be
 * idle for 45.
 */
const RENEW_AHEAD_MS = 15 * 86_400_000

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
  scope: z.string().optional(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
})

/** @param apiUrl with the version, without a trailing slash */
export function renewalAt(apiUrl: string): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    refresh: (stale, io) => refreshed(apiUrl, stale, io),
    // A 401 with code 7 is a missing permission, which a new token of the same grant would lack as well.
    isExpired: (error) => error instanceof PinterestRefusal && error.status === 401 && error.code !== 7,
  }
}

/** Each renewal restarts the refresh token's 60 days; only the token of the newest answer is sure to work. */
async function refreshed(apiUrl: string, stale: Credentials, io: PlatformIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = stale
  if (!refreshToken || !clientId || !clientSecret) {
    // Before its expiry the token is still good.
    if (Date.parse(stale['expiresAt'] ?? '') > io.clock.now()) return stale
    const message =
      'The Pinterest access token has expired, and renewing it requires refreshToken, clientId and clientSecret. Connect the account again.'
    throw new PlatformError('needs-reauth', message)
  }
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const unwilling = {
    kind: 'needs-reauth',
    text: 'Pinterest did not renew the access. Connect the account again',
  } as const
  const { tokens } = await askForTokens({ clientId, clientSecret }, form, unwilling, apiUrl, io)
  const { expiresAt: _, refreshExpiresAt: __, ...kept } = stale
  return { ...kept, ...tokens }
}

/**
 * Requests tokens with a code or a refresh token.
 *
 * @param unwilling the error if Pinterest accepts the app, but not the code or token
 * @returns also the granted scopes, if Pinterest lists them
 * @throws PlatformError
 */
export async function askForTokens(
  app: OAuthApp,
  form: Readonly<Record<string, string>>,
  unwilling: { readonly kind: PlatformErrorKind; readonly text: string },
  apiUrl: string,
  io: RestIo,
): Promise<{ readonly tokens: Credentials; readonly granted: string | undefined }> {
  const { clientId, clientSecret = '' } = app
  const call: RestCall = {
    method: 'POST',
    url: `${apiUrl}/oauth/token`,
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    form,
  }
  const response = await send('pinterest', call, io)
  if (response.status !== 200) throw refusal(response, unwilling, io)
  const fresh = bodyOf('pinterest', call, response, tokenAnswer)
  const now = io.clock.now()
  const refreshEnd = fresh.refresh_token === undefined ? undefined : fresh.refresh_token_expires_in
  const tokens = {
    ...appCredentials(app),
    accessToken: fresh.access_token,
    ...(fresh.refresh_token !== undefined && { refreshToken: fresh.refresh_token }),
    ...(fresh.expires_in !== undefined && { expiresAt: expiryOf(fresh.expires_in, now) }),
    ...(refreshEnd !== undefined && { refreshExpiresAt: expiryOf(refreshEnd, now) }),
  }
  return { tokens, granted: fresh.scope }
}

function refusal(
  response: HttpResponse,
  { kind, text }: { readonly kind: PlatformErrorKind; readonly text: string },
  io: RestIo,
): PlatformError {
  const { status } = response
  const { error, says } = errorOf(response)
  const said = says === '' ? `HTTP ${status}` : `HTTP ${status}, ${says}`
  if (error === 'invalid_client') {
    return new PlatformError(
      'permanent',
      `Pinterest does not recognize the app: clientId or clientSecret is wrong (${said}).`,
    )
  }
  if (status === 400 || status === 401) return new PlatformError(kind, `${text} (${said}).`)
  return refused(response, 'hidden', io.clock.now())
}
