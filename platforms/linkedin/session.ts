import { z } from 'zod'
import { expiryOf, withToken, type TokenRenewal } from '../oauth-token.ts'
import { PlatformError, type Credentials, type PlatformIo } from '../platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall } from '../rest.ts'
import { LinkedInError, refused } from './errors.ts'

const TOKEN_HOST = 'https://www.linkedin.com'
/** Short against the 60 days of a token: should renewing fail, the old one was not thrown away early. */
const RENEW_AHEAD_MS = 60 * 60_000

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
})
const tokenRefusal = z.object({ error: z.string().catch(''), error_description: z.string().catch('') })

/**
 * Does work with the account's token. Only approved apps are given refresh tokens; without one the token is used until
 * LinkedIn refuses it, which is `needs-reauth`.
 *
 * @throws PlatformError
 */
export async function withAccess<T>(
  baseUrl: string | undefined,
  io: PlatformIo,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const { accessToken, refreshToken } = await io.credentials.read()
  if (accessToken !== undefined && refreshToken === undefined) return work(accessToken)
  return withToken(io, renewalAt(baseUrl), work)
}

function renewalAt(baseUrl: string | undefined): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    refresh: (stale, io) => refresh(baseUrl, stale, io),
    isExpired: (error) => error instanceof LinkedInError && error.kind === 'needs-reauth' && error.status === 401,
  }
}

async function refresh(baseUrl: string | undefined, stale: Credentials, io: PlatformIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = stale
  if (refreshToken === undefined || clientId === undefined || clientSecret === undefined) {
    throw new PlatformError(
      'needs-reauth',
      'The LinkedIn access token has ended, and without refreshToken, clientId and clientSecret it can not be renewed. Connect the account again.',
    )
  }
  const call: RestCall = {
    method: 'POST',
    url: `${baseUrl ?? TOKEN_HOST}/oauth/v2/accessToken`,
    form: {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    },
  }
  const response = await send('linkedin', call, io)
  if ([400, 401, 403].includes(response.status)) {
    const said = tokenRefusal.safeParse(jsonOf(response)).data
    const why = quoted(said?.error_description || said?.error || `HTTP ${response.status}`)
    throw new PlatformError('needs-reauth', `LinkedIn does not renew the access: ${why}. Connect the account again.`)
  }
  if (response.status < 200 || response.status > 299) throw refused(response, 'hidden', 'api', io.clock)
  const fresh = bodyOf('linkedin', call, response, tokenAnswer)
  return {
    ...stale,
    accessToken: fresh.access_token,
    refreshToken: fresh.refresh_token ?? refreshToken,
    expiresAt: expiryOf(fresh.expires_in, io.clock.now()),
  }
}
