import { inHeader, oauthClient, tokenAnswer, type Meaning } from '../kit/oauth-client.ts'
import { mustGrant } from '../kit/permissions.ts'
import { is, refused } from './errors.ts'

const NOT_THE_APP: Meaning = { kind: 'needs-reauth', text: 'X does not accept the client id or secret of the app' }
const SPENT: Meaning = {
  kind: 'needs-reauth',
  text: 'X did not renew the access, as its refresh token was already used, has expired or was revoked',
}

/** For everything. X issues a refresh token only with `offline.access`. */
export const permissions = {
  publishing: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
}

/** OAuth 2.0 with PKCE. A refresh token can be used once; each answer has the next one. */
export const { authorization, renewalAt, revoke } = oauthClient({
  platform: 'x',
  consent: {
    url: 'https://x.com/i/oauth2/authorize',
    separator: ' ',
    pkce: true,
  },
  tokenUrl: 'https://api.x.com/2/oauth2/token',
  revocation: { url: 'https://api.x.com/2/oauth2/revoke', token: 'refreshToken', withApp: true },
  needsSecret: false,
  // An app with a secret authenticates in the header, URL-encoded (RFC 6749 §2.3.1); one without only gives its id.
  authenticate: ({ clientId, clientSecret }) =>
    clientSecret
      ? inHeader(encodeURIComponent(clientId), encodeURIComponent(clientSecret))
      : { form: { client_id: clientId } },
  answer: tokenAnswer.extend({ expires_in: tokenAnswer.shape.expires_in.default(7_200) }),
  permissions,
  check: ({ refreshToken }, granted) => {
    if (refreshToken === undefined) mustGrant('X', ['offline.access'], granted ?? [])
  },
  refusals: {
    authorization_code: {},
    refresh_token: {
      invalid_client: NOT_THE_APP,
      unauthorized_client: NOT_THE_APP,
      400: SPENT,
      401: SPENT,
      403: SPENT,
    },
  },
  otherRefusal: (response, { clock }) => refused(response, 'hidden', clock),
  renewAheadMs: 5 * 60_000,
  isExpired: (error) => is(error, 'token'),
})
