import { z } from 'zod'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { expiryOf, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformErrorKind } from '../kit/platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { retryAfterMs } from '../kit/retry-after.ts'
import { covers, type GoogleService } from './service.ts'

const HOST = 'https://oauth2.googleapis.com'
/** Access tokens live for about an hour. */
const RENEW_AHEAD_MS = 300_000

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().optional(),
  /** Returned at consent, rarely on renewal: the old one stays valid. */
  refresh_token: z.string().min(1).optional(),
})
const tokenError = z.object({ error: z.string(), error_description: z.string().catch('') })

interface Meaning {
  readonly kind: PlatformErrorKind
  readonly text: string
}
/** Keyed by `error` (RFC 6749 §5.2). */
type Meanings = Readonly<Record<string, Meaning>>

const OF_THE_APP: Meanings = {
  invalid_client: { kind: 'permanent', text: 'Google does not recognize the app: clientId or clientSecret is wrong' },
  admin_policy_enforced: {
    kind: 'permanent',
    text: "The administrator of the user's organization does not allow the access",
  },
}
const OF_A_RENEWAL: Meanings = {
  ...OF_THE_APP,
  invalid_grant: { kind: 'needs-reauth', text: 'Google no longer renews the access. Connect the account again' },
  unauthorized_client: { kind: 'permanent', text: 'The refreshToken was not issued to the app that clientId names' },
}
export const OF_A_CODE: Meanings = {
  ...OF_THE_APP,
  invalid_grant: {
    kind: 'permanent',
    text: 'Google does not accept the code: it was already used, has expired or was issued to another app',
  },
  redirect_uri_mismatch: { kind: 'permanent', text: 'The redirect URI is not registered for the app' },
}

/** @param baseUrl a host other than Google's own, without a trailing slash */
export function googleRenewal(service: GoogleService, baseUrl: string | undefined): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    isExpired: (error) => service.isExpired(error),
    refresh: (stale, io) => refreshed(service, stale, baseUrl, io),
  }
}

async function refreshed(
  service: GoogleService,
  stale: Credentials,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = stale
  if (!refreshToken || !clientId || !clientSecret) {
    const lacking = 'and renewing it requires refreshToken, clientId and clientSecret'
    throw new PlatformError('needs-reauth', `The access to Google has expired, ${lacking}. Connect the account again.`)
  }
  const form = {
    grant_type: 'refresh_token',
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
  }
  const { tokens, granted } = await askForTokens(service.platform, form, OF_A_RENEWAL, baseUrl, io)
  if (covers(granted, service)) return { ...stale, ...tokens }
  const missing = service.scopes[0].slice(service.scopes[0].lastIndexOf('/') + 1)
  const message = `The access covers only ${quoted(granted ?? '')}. Connect the account again with the scope ${missing}.`
  throw new PlatformError('needs-reauth', message)
}

/**
 * Requests tokens with a code or a refresh token.
 *
 * @returns also the granted scopes, if Google reports them
 * @throws PlatformError
 */
export async function askForTokens(
  platform: PlatformKey,
  form: Readonly<Record<string, string>>,
  meanings: Meanings,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<{ readonly tokens: Credentials; readonly granted: string | undefined }> {
  const call: RestCall = { method: 'POST', url: `${baseUrl ?? HOST}/token`, form }
  const response = await send(platform, call, io)
  if (response.status !== 200) throw refusal(response, meanings, io)
  const { access_token, expires_in, scope: granted, refresh_token } = bodyOf(platform, call, response, tokenAnswer)
  const tokens = {
    accessToken: access_token,
    expiresAt: expiryOf(expires_in, io.clock.now()),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
  }
  return { tokens, granted }
}

/** Errors without an entry are classified by HTTP status. */
function refusal(response: HttpResponse, meanings: Meanings, { clock }: RestIo): PlatformError {
  const { status, headers } = response
  const told = tokenError.safeParse(jsonOf(response)).data
  const said = told ? `${quoted(told.error)} ${quoted(told.error_description)}`.trim() : `HTTP ${status}`
  const known = meanings[told?.error ?? '']
  if (known) return new PlatformError(known.kind, `${known.text} (${said}).`)
  const passing = status === 429 || status === 408 || status >= 500
  return new PlatformError(passing ? 'retryable' : 'permanent', `Google did not grant access (${said}).`, {
    retryAfterMs: retryAfterMs(headers['retry-after'], clock.now()),
  })
}
