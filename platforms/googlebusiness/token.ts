import { z } from 'zod'
import type { HttpResponse } from '../http.ts'
import { expiryOf, type TokenRenewal } from '../oauth-token.ts'
import { PlatformError, type Credentials, type PlatformErrorKind } from '../platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall, type RestIo } from '../rest.ts'
import { retryAfterMs } from '../retry-after.ts'
import { givenCredentials } from './credentials.ts'
import { isExpired } from './errors.ts'

/** Access tokens live for about an hour. */
const RENEW_AHEAD_MS = 300_000

/** The second is the first one's old name. */
const SUFFICIENT_SCOPES = ['business.manage', 'plus.business.manage'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
)

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().optional(),
  /** Seldom: the old one goes on. */
  refresh_token: z.string().min(1).optional(),
})
const tokenError = z.object({ error: z.string(), error_description: z.string().catch('') })

/** @param url of Google's token endpoint */
export function renewalAt(url: string): TokenRenewal {
  return { aheadMs: RENEW_AHEAD_MS, isExpired, refresh: (stale, io) => refreshed(stale, url, io) }
}

async function refreshed(stale: Credentials, url: string, io: RestIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = givenCredentials(stale)
  if (refreshToken === undefined || clientId === undefined || clientSecret === undefined) {
    const lacking = 'and there are no refreshToken, clientId and clientSecret to renew it with'
    throw new PlatformError('needs-reauth', `The access to Google has ended, ${lacking}. Connect the account again.`)
  }
  const form = {
    grant_type: 'refresh_token',
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
  }
  const call: RestCall = { method: 'POST', url, form }
  const response = await send('googlebusiness', call, io)
  if (response.status !== 200) throw notRenewed(response, io)
  const { access_token, expires_in, scope, refresh_token } = bodyOf('googlebusiness', call, response, tokenAnswer)
  if (scope !== undefined && !scope.split(' ').some((each) => SUFFICIENT_SCOPES.includes(each))) {
    const message = `The access covers ${quoted(scope)} only. Connect the account again, with the scope business.manage.`
    throw new PlatformError('needs-reauth', message)
  }
  return {
    ...stale,
    accessToken: access_token,
    expiresAt: expiryOf(expires_in, io.clock.now()),
    refreshToken: refresh_token ?? refreshToken,
  }
}

/** By `error` of RFC 6749 §5.2; what is not here goes by the HTTP status. */
const REFUSALS: Readonly<Record<string, { readonly kind: PlatformErrorKind; readonly text: string }>> = {
  invalid_grant: { kind: 'needs-reauth', text: 'Google no longer renews the access. Connect the account again' },
  invalid_client: { kind: 'permanent', text: 'Google does not know the app: clientId or clientSecret is wrong' },
  unauthorized_client: { kind: 'permanent', text: 'The refreshToken is not of the app that clientId names' },
  admin_policy_enforced: { kind: 'permanent', text: "The administrator of the user's organisation forbids the access" },
}

function notRenewed(response: HttpResponse, { clock }: RestIo): PlatformError {
  const { status, headers } = response
  const told = tokenError.safeParse(jsonOf(response)).data
  const said = told ? `${quoted(told.error)} ${quoted(told.error_description)}`.trim() : `HTTP ${status}`
  const known = REFUSALS[told?.error ?? '']
  if (known) return new PlatformError(known.kind, `${known.text} (${said}).`)
  const passing = status === 429 || status === 408 || status >= 500
  return new PlatformError(passing ? 'retryable' : 'permanent', `Google did not renew the access (${said}).`, {
    retryAfterMs: retryAfterMs(headers['retry-after'], clock.now()),
  })
}
