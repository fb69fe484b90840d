import type { PlatformKey } from '../../domain/core/platform.ts'
import { inForm, oauthClient, type Meanings, type OAuthClient, type OAuthServer } from '../kit/oauth-client.ts'
import { PlatformError, type Permissions } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'

const PREFIX = 'https://www.googleapis.com/auth/'

/** A Google service to which accounts grant access. */
interface GoogleService {
  readonly platform: PlatformKey
  readonly permissions: Permissions
  /** Scopes that contain others. */
  readonly contains: Readonly<Record<string, readonly string[]>>
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
export function googleClient({ platform, permissions, contains, isExpired }: GoogleService): OAuthClient {
  return oauthClient({
    platform,
    name: 'Google',
    consent: {
      url: 'https://accounts.google.com/o/oauth2/v2/auth',
      separator: ' ',
      // Both are required: without either, a user who consented before gets no refresh token.
      extra: { access_type: 'offline', prompt: 'consent' },
    },
    tokenUrl: 'https://oauth2.googleapis.com/token',
    // The app's whole access, and with it the access token.
    revocation: { url: 'https://oauth2.googleapis.com/revoke', token: 'refreshToken', withApp: false },
    needsSecret: true,
    permissions,
    contains,
    authenticate: inForm,
    refusals: REFUSALS,
    check: ({ refreshToken }, granted, grantType) => {
      const isCode = grantType === 'authorization_code'
      const missing = permissions.publishing?.filter((each) => granted?.includes(each) === false) ?? []
      if (!isCode && missing.length > 0) {
        const message = `The access covers only ${quoted(granted?.join(' ') ?? '')}. Connect the account again`
        throw new PlatformError(
          'needs-reauth',
          `${message} with the scope ${missing.join(' ').replaceAll(PREFIX, '')}.`,
        )
      }
      // Returned at consent, rarely on renewal: the old one stays valid.
      if (!isCode || refreshToken !== undefined) return
      throw new PlatformError('permanent', 'Google returned no refresh token: the access would expire within an hour.')
    },
    renewAheadMs: 300_000,
    isExpired,
  })
}

/** A scope by its full name. */
export function googleScope(scope: string): string {
  return PREFIX + scope
}
