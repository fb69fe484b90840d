import { withToken, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformIo } from '../kit/platform.ts'
import { LinkedInError } from './errors.ts'
import { askForTokens } from './token.ts'

/** Short compared to a token's 60 days, so that a failed renewal wastes little of the old token's life. */
const RENEW_AHEAD_MS = 60 * 60_000

/**
 * Runs work with the account's token. Only approved apps get refresh tokens; without one the token is used until LinkedIn
 * refuses it, which is `needs-reauth`.
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
      'The LinkedIn access token has expired, and renewing it requires refreshToken, clientId and clientSecret. Connect the account again.',
    )
  }
  const answer = await askForTokens(
    {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    },
    baseUrl,
    io,
  )
  if (answer.outcome === 'tokens') return { ...stale, ...answer.tokens }
  const message = `LinkedIn did not renew the access: ${answer.why}. Connect the account again.`
  throw new PlatformError('needs-reauth', message)
}
