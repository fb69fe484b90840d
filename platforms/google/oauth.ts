import type { PlatformKey } from '../../domain/core/platform.ts'
import { inForm, oauthClient, type Meanings, type OAuthClient, type OAuthServer } from '../kit/oauth-client.ts'
import { PlatformError } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'

/** A Google service to which accounts grant access. */
interface GoogleService {
  readonly platform: PlatformKey
  /** Requested at consent. The first is what publishing needs; owners may refuse the others. */
  readonly scopes: readonly [string, ...string[]]
  /** Other scopes that include the first one. */
  readonly sameAsFirst: readonly string[]
  /** Whether a call was refused, without effect, because the access token has expired. */
  readonly isExpired: (error: unknown) => boolean
}

const OF_THE_APP: Meanings = {
  invalid_client: { kind: 'permanent', text: 'Google does not recognize the app: clientId or clientSecret is wrong' },
  admin_policy_enforced: {
    kind: 'permanent',
    text: "The administrator of the user's organization does not allow the access",
  },
}
const REFUSALS: OAuthServer['refusals'] = {
  authorization_code: {
    ...OF_THE_APP,
    invalid_grant: {
      kind: 'permanent',
      text: 'Google does not accept the code: it was already used, has expired or was issued to another app',
    },
    redirect_uri_mismatch: { kind: 'permanent', text: 'The redirect URI is not registered for the app' },
  },
  refresh_token: {
    ...OF_THE_APP,
    invalid_grant: { kind: 'needs-reauth', text: 'Google no longer renews the access' },
    unauthorized_client: { kind: 'permanent', text: 'The refreshToken was not issued to the app that clientId names' },
  },
}

/** The user picks the account, or a channel of it, on Google's own pages. Access tokens live for about an hour. */
export function googleClient({ platform, scopes, sameAsFirst, isExpired }: GoogleService): OAuthClient {
  const sufficient = [scopes[0], ...sameAsFirst].map(fullName)
  return oauthClient({
    platform,
    name: 'Google',
    consent: {
      url: 'https://accounts.google.com/o/oauth2/v2/auth',
      scopes: scopes.map(fullName),
      separator: ' ',
      // Both are required: without either, a user who consented before gets no refresh token.
      extra: { access_type: 'offline', prompt: 'consent' },
    },
    tokenUrl: 'https://oauth2.googleapis.com/token',
    // The app's whole access, and with it the access token.
    revocation: { url: 'https://oauth2.googleapis.com/revoke', token: 'refreshToken', withApp: false },
    needsSecret: true,
    authenticate: inForm,
    refusals: REFUSALS,
    check: ({ refreshToken }, granted, grantType) => {
      const isCode = grantType === 'authorization_code'
      if (granted?.some((each) => sufficient.includes(each)) === false) {
        const advice = isCode
          ? `Start again and also allow ${fullName(scopes[0])}`
          : `Connect the account again with the scope ${scopes[0]}`
        const message = `The access covers only ${quoted(granted.join(' '))}. ${advice}.`
        throw new PlatformError(isCode ? 'permanent' : 'needs-reauth', message)
      }
      // Returned at consent, rarely on renewal: the old one stays valid.
      if (!isCode || refreshToken !== undefined) return
      throw new PlatformError('permanent', 'Google returned no refresh token: the access would expire within an hour.')
    },
    renewAheadMs: 300_000,
    isExpired,
  })
}

function fullName(scope: string): string {
  return `https://www.googleapis.com/auth/${scope}`
}
