import { z } from 'zod'
import type { OAuthApp } from '../kit/authorization.ts'
import { expiryOf, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials } from '../kit/platform.ts'
import { bodyOf, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { refused, XError } from './errors.ts'
import { hostOf } from './host.ts'

const AHEAD_MS = 5 * 60_000
/** Lifetime of an access token if the answer does not give one. */
const USUAL_LIFETIME_S = 7_200

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive().default(USUAL_LIFETIME_S),
})

/** X's refresh tokens can be used once; each answer has the next one. */
export function renewal(baseUrl: string | undefined): TokenRenewal {
  return {
    aheadMs: AHEAD_MS,
    refresh: (stale, io) => refreshed(stale, baseUrl, io),
    isExpired: (error) => error instanceof XError && error.refusal === 'token',
  }
}

async function refreshed(stale: Credentials, baseUrl: string | undefined, io: RestIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = stale
  if (!refreshToken || !clientId) {
    const missing = refreshToken ? 'client id of the app' : 'refresh token'
    throw reconnect(`X no longer accepts the access token, and there is no ${missing} to renew it with.`)
  }
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const fresh = await askForTokens({ clientId, clientSecret }, grant, baseUrl, io).catch((error: unknown) => {
    if (!(error instanceof XError) || ![400, 401, 403].includes(error.status)) throw error
    const whose = /invalid_client|unauthorized_client/.test(error.said)
      ? 'X does not accept the client id or secret of the app.'
      : 'X did not renew the access: its refresh token was already used, has expired or was revoked.'
    throw reconnect(whose, error)
  })
  return { ...stale, refreshToken, ...fresh }
}

/**
 * Requests tokens with a code or a refresh token.
 *
 * @throws PlatformError, an XError for anything X refused
 */
export async function askForTokens(
  { clientId, clientSecret }: OAuthApp,
  grant: Readonly<Record<string, string>>,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<Credentials> {
  const call: RestCall = {
    method: 'POST',
    url: `${hostOf(baseUrl)}/2/oauth2/token`,
    // An app with a secret authenticates in the header; one without only gives its id.
    ...(clientSecret
      ? { form: grant, headers: { authorization: basic(clientId, clientSecret) } }
      : { form: { ...grant, client_id: clientId } }),
  }
  const response = await send('x', call, io)
  if (response.status < 200 || response.status > 299) throw refused(response, call.effect, io.clock)
  const { access_token: accessToken, refresh_token: next, expires_in: seconds } = bodyOf('x', call, response, tokens)
  const expiresAt = expiryOf(seconds, io.clock.now())
  return { accessToken, expiresAt, ...(next !== undefined && { refreshToken: next }) }
}

function reconnect(why: string, cause?: unknown): PlatformError {
  return new PlatformError('needs-reauth', `${why} Connect the account again.`, { cause })
}

/** Both must be URL-encoded first (RFC 6749 §2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
