import { appCredentials, type AuthorizationCode } from '../kit/authorization.ts'
import { askForTokens } from './token.ts'

const CONSENT = 'https://x.com/i/oauth2/authorize'
/** X issues a refresh token only with `offline.access`. */
const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access']

/** OAuth 2.0 with PKCE, which also works for apps without a secret ("public clients"). */
export const authorization: AuthorizationCode = {
  needsSecret: false,
  consentUrl: ({ clientId }, { redirectUri, state, challenge }, baseUrl) => {
    const url = new URL(baseUrl === undefined ? CONSENT : `${baseUrl}/i/oauth2/authorize`)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: SCOPES.join(' '),
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }).toString()
    return url.href
  },
  exchange: async (app, { code, redirectUri, verifier }, baseUrl, io) => {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    return { ...appCredentials(app), ...(await askForTokens(app, grant, baseUrl, io)) }
  },
}
