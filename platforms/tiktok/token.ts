import { z } from 'zod'
import { appCredentials, type OAuthApp } from '../kit/authorization.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { expiryOf, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformErrorKind } from '../kit/platform.ts'
import { jsonOf, quoted, send, type RestIo } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import { isExpired } from './errors.ts'
import { apiAt } from './host.ts'

/** An access token lives for 2 hours, or 24 according to older documentation. */
const RENEW_AHEAD_MS = 10 * 60_000

const tokens = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1),
  refresh_expires_in: z.number().positive().optional(),
  scope: z.string().optional().catch(undefined),
})
const tokenError = z.object({ error: z.string(), error_description: z.string().catch('') })

export function renewalAt(baseUrl: string | undefined): TokenRenewal {
  return { aheadMs: RENEW_AHEAD_MS, isExpired, refresh: (stale, io) => refreshed(stale, baseUrl, io) }
}

/** A refresh token can be used once; the answer has the next one. */
async function refreshed(stale: Credentials, baseUrl: string | undefined, io: RestIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = stale
  if (!refreshToken || !clientId || !clientSecret) {
    const lacking = 'and renewing it requires refreshToken, clientId and clientSecret'
    throw new PlatformError(
      'needs-reauth',
      `The TikTok access token has expired, ${lacking}. Connect the account again.`,
    )
  }
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const { fresh } = await askForTokens({ clientId, clientSecret }, grant, OF_A_RENEWAL, baseUrl, io)
  const { refreshExpiresAt: _, ...kept } = stale
  return { ...kept, ...fresh }
}

/**
 * Requests tokens with a code or a refresh token.
 *
 * @returns the tokens with their app's credentials, and the granted scopes if TikTok lists them
 * @throws PlatformError
 */
export async function askForTokens(
  app: OAuthApp,
  grant: Readonly<Record<string, string>>,
  meanings: Meanings,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<{ readonly fresh: Credentials; readonly scopes: readonly string[] | undefined }> {
  const form = { client_key: app.clientId, client_secret: app.clientSecret ?? '', ...grant }
  const response = await send('tiktok', { method: 'POST', url: `${apiAt(baseUrl)}/oauth/token/`, form }, io)
  const answer = tokens.safeParse(jsonOf(response))
  const now = io.clock.now()
  if (response.status !== 200 || !answer.success) throw refusedBy(response, meanings, now)
  const { access_token, expires_in, refresh_token, refresh_expires_in, scope } = answer.data
  const fresh = {
    ...appCredentials(app),
    accessToken: access_token,
    expiresAt: expiryOf(expires_in, now),
    refreshToken: refresh_token,
    ...(refresh_expires_in !== undefined && { refreshExpiresAt: expiryOf(refresh_expires_in, now) }),
  }
  return { fresh, scopes: scope?.split(',') }
}

interface Meaning {
  readonly kind: PlatformErrorKind
  readonly says: string
}

/** What a refusal means, depending on the grant type. */
interface Meanings {
  readonly spent: Meaning
  readonly failed: Meaning
  readonly refused: Meaning
}

const OF_A_RENEWAL: Meanings = {
  spent: { kind: 'needs-reauth', says: 'TikTok no longer renews the access. Connect the account again' },
  failed: { kind: 'retryable', says: 'TikTok could not renew the access' },
  refused: { kind: 'permanent', says: 'TikTok refused to renew the access' },
}
export const OF_A_CODE: Meanings = {
  spent: {
    kind: 'permanent',
    says: 'TikTok does not accept the code: it was already used, has expired or was issued for another redirect URI',
  },
  failed: { kind: 'retryable', says: 'TikTok could not grant access' },
  refused: { kind: 'permanent', says: 'TikTok refused to grant access' },
}

const APP: Meaning = { kind: 'permanent', says: 'TikTok does not accept clientId and clientSecret' }

/** Errors of this endpoint have their own format and may come with a 200. */
function refusedBy(response: HttpResponse, meanings: Meanings, now: number): PlatformError {
  const { status, headers } = response
  const told = tokenError.safeParse(jsonOf(response)).data
  const { kind, says } = byError(told?.error, meanings) ?? byStatus(status, told !== undefined, meanings)
  const words = told && `${quoted(told.error)} ${quoted(told.error_description)}`.trim()
  const said = [`HTTP ${status}`, ...(words ? [words] : [])].join(', ')
  return new PlatformError(kind, `${says} (${said}).`, { retryAfterMs: retryAfterMs(headers['retry-after'], now) })
}

function byError(error: string | undefined, { spent, failed }: Meanings): Meaning | undefined {
  switch (error) {
    case 'invalid_grant':
      return spent
    case 'invalid_client':
    case 'unauthorized_client':
      return APP
    case 'server_error':
    case 'temporarily_unavailable':
      return failed
    default:
      return undefined
  }
}

function byStatus(status: number, isTold: boolean, { failed, refused }: Meanings): Meaning {
  const passing = status === 408 || status === 429 || status >= 500
  return passing || (status < 300 && !isTold) ? failed : refused
}
