import type { AuthorizationCode } from '../kit/authorization.ts'
import { PlatformError } from '../kit/platform.ts'
import { askForTokens, OF_A_CODE } from './token.ts'

const HOST = 'https://www.tiktok.com'

/** For identifying the account, posting, and finding posts again. */
const NEEDED = ['user.info.basic', 'video.publish', 'video.list']
/** For statistics. */
const FURTHER = ['user.info.stats']

/** Login Kit for Web, which has no PKCE, unlike the one for desktop apps. */
export const authorization: AuthorizationCode = {
  needsSecret: true,
  asksFor: ['privacyLevel'],
  consentUrl: ({ clientId }, { redirectUri, state }, baseUrl) => {
    const url = new URL(`${baseUrl ?? HOST}/v2/auth/authorize/`)
    url.search = new URLSearchParams({
      client_key: clientId,
      response_type: 'code',
      scope: [...NEEDED, ...FURTHER].join(','),
      redirect_uri: redirectUri,
      state,
    }).toString()
    return url.href
  },
  exchange: async (app, { code, redirectUri }, baseUrl, io) => {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const { fresh, scopes } = await askForTokens(app, grant, OF_A_CODE, baseUrl, io)
    const missing = scopes === undefined ? [] : NEEDED.filter((scope) => !scopes.includes(scope))
    if (missing.length === 0) return fresh
    throw new PlatformError(
      'permanent',
      `TikTok did not grant ${missing.join(', ')}. Start again and allow all permissions.`,
    )
  },
}
