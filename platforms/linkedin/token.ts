import { z } from 'zod'
import { expiryOf } from '../kit/oauth-token.ts'
import type { Credentials } from '../kit/platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { refused } from './errors.ts'

const HOST = 'https://www.linkedin.com'

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  scope: z.string().optional(),
  /** Only approved apps get one. */
  refresh_token: z.string().min(1).optional(),
})
const tokenRefusal = z.object({ error: z.string().catch(''), error_description: z.string().catch('') })

export type TokenAnswer =
  | { readonly outcome: 'tokens'; readonly tokens: Credentials; readonly scopes: readonly string[] | undefined }
  /** LinkedIn does not accept the code, the refresh token or the app's secret. */
  | { readonly outcome: 'refused'; readonly why: string }

/**
 * Requests tokens with a code or a refresh token.
 *
 * @throws PlatformError if LinkedIn neither grants nor refuses them
 */
export async function askForTokens(
  form: Readonly<Record<string, string>>,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<TokenAnswer> {
  const call: RestCall = { method: 'POST', url: `${baseUrl ?? HOST}/oauth/v2/accessToken`, form }
  const response = await send('linkedin', call, io)
  if ([400, 401, 403].includes(response.status)) {
    const said = tokenRefusal.safeParse(jsonOf(response)).data
    return { outcome: 'refused', why: quoted(said?.error_description || said?.error || `HTTP ${response.status}`) }
  }
  if (response.status < 200 || response.status > 299) throw refused(response, 'hidden', 'api', io.clock)
  const { access_token, expires_in, scope, refresh_token } = bodyOf('linkedin', call, response, tokenAnswer)
  const tokens = {
    accessToken: access_token,
    expiresAt: expiryOf(expires_in, io.clock.now()),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
  }
  return { outcome: 'tokens', tokens, scopes: scope?.split(/[\s,]+/) }
}
