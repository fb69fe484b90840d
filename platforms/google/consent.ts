import { appCredentials, type AuthorizationCode } from '../kit/authorization.ts'
import { PlatformError } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import { covers, type GoogleService } from './service.ts'
import { askForTokens, OF_A_CODE } from './token.ts'

const HOST = 'https://accounts.google.com'

/** Google's consent. The user picks the account, or a channel of it, on Google's own pages. */
export function googleConsent(service: GoogleService): AuthorizationCode {
  return {
    needsSecret: true,
    consentUrl: ({ clientId }, { redirectUri, state }, baseUrl) => {
      const url = new URL(`${baseUrl ?? HOST}/o/oauth2/v2/auth`)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: service.scopes.join(' '),
        state,
        // Both are required: without either, a user who consented before gets no refresh token.
        access_type: 'offline',
        prompt: 'consent',
      }).toString()
      return url.href
    },
    exchange: async (app, { code, redirectUri }, baseUrl, io) => {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: app.clientId,
        client_secret: app.clientSecret ?? '',
      }
      const { tokens, granted } = await askForTokens(service.platform, form, OF_A_CODE, baseUrl, io)
      if (!covers(granted, service)) {
        const message = `The access covers only ${quoted(granted ?? '')}. Start again and also allow ${service.scopes[0]}.`
        throw new PlatformError('permanent', message)
      }
      if (tokens['refreshToken'] === undefined) {
        throw new PlatformError(
          'permanent',
          'Google returned no refresh token: the access would expire within an hour.',
        )
      }
      return { ...appCredentials(app), ...tokens }
    },
  }
}
