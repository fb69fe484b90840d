import { z } from 'zod'
import { expiryOf, type TokenRenewal } from '../oauth-token.ts'
import { PlatformError, type Credentials } from '../platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall, type RestIo } from '../rest.ts'
import { retryAfterMs } from '../retry-after.ts'
import { kept } from './credentials.ts'
import { isExpired } from './errors.ts'
import { hostsOf } from './hosts.ts'

const RENEW_AHEAD_MS = 300_000

/** Each of them covers uploading, looking at videos and reading the channel. */
const SUFFICIENT_SCOPES = ['youtube.force-ssl', 'youtube', 'youtubepartner'].map(
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

export function renewalAt(baseUrl: string | undefined): TokenRenewal {
  return { aheadMs: RENEW_AHEAD_MS, isExpired, refresh: (stale, io) => refreshed(stale, baseUrl, io) }
}

async function refreshed(stale: Credentials, baseUrl: string | undefined, io: RestIo): Promise<Credentials> {
  const { refreshToken, clientId, clientSecret } = kept(stale)
  if (refreshToken === undefined || clientId === undefined || clientSecret === undefined) {
    const lacking = 'and there are no refreshToken, clientId and clientSecret to renew it with'
    throw new PlatformError('needs-reauth', `The YouTube access has ended, ${lacking}. Connect the account again.`)
  }
  const form = {
    grant_type: 'refresh_token',
    client_id: clientId,
    client_secret: clientSecret,
    refresh_token: refreshToken,
  }
  const call: RestCall = { method: 'POST', url: hostsOf(baseUrl).token, form }
  const response = await send('youtube', call, io)
  if (response.status !== 200) {
    const wait = retryAfterMs(response.headers['retry-after'], io.clock.now())
    throw refusal(response.status, tokenError.safeParse(jsonOf(response)).data, wait)
  }
  const { access_token, expires_in, scope, refresh_token } = bodyOf('youtube', call, response, tokenAnswer)
  if (scope !== undefined && !scope.split(' ').some((each) => SUFFICIENT_SCOPES.includes(each))) {
    const message = `The access covers ${quoted(scope)} only. Connect the account again, with the scope youtube.force-ssl.`
    throw new PlatformError('needs-reauth', message)
  }
  return {
    ...stale,
    accessToken: access_token,
    expiresAt: expiryOf(expires_in, io.clock.now()),
    refreshToken: refresh_token ?? refreshToken,
  }
}

/** In the form of RFC 6749 §5.2. Google says `invalid_grant` of a token that is revoked, unused for long or superseded. */
function refusal(
  status: number,
  told: z.infer<typeof tokenError> | undefined,
  retryAfter: number | undefined,
): PlatformError {
  const said = told ? `${quoted(told.error)} ${quoted(told.error_description)}`.trim() : `HTTP ${status}`
  if (told?.error === 'invalid_grant') {
    return new PlatformError('needs-reauth', `Google no longer renews the access (${said}). Connect the account again.`)
  }
  if (status === 429 || status === 408 || status >= 500) {
    return new PlatformError('retryable', `Google could not renew the access: ${said}.`, { retryAfterMs: retryAfter })
  }
  return new PlatformError(
    'permanent',
    `Google does not accept clientId and clientSecret to renew the access: ${said}.`,
  )
}
