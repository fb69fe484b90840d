import * as z from 'zod'
import { inHeader, oauthClient, tokenAnswer, type Meaning } from '../kit/oauth-client.ts'
import { is, refused } from './errors.ts'

const NOT_THE_APP: Meaning = {
  kind: 'permanent',
  text: 'Pinterest does not recognize the app: clientId or clientSecret is wrong',
}
const NOT_GRANTED: Meaning = { kind: 'permanent', text: 'Pinterest did not grant access for the code. Start again' }
const NOT_RENEWED: Meaning = { kind: 'needs-reauth', text: 'Pinterest did not renew the access' }

/** For creating Pins, finding them again, and checking who owns the board; metrics need no more. */
export const permissions = { publishing: ['boards:read', 'pins:read', 'pins:write', 'user_accounts:read'] }

export const oauth = oauthClient({
  platform: 'pinterest',
  consent: {
    url: 'https://www.pinterest.com/oauth/',
    separator: ',',
  },
  tokenUrl: 'https://api.pinterest.com/v5/oauth/token',
  needsSecret: true,
  authenticate: ({ clientId, clientSecret = '' }) => inHeader(clientId, clientSecret),
  // Without it, apps created before 25 September 2025 get a refresh token that cannot be extended.
  withCode: { continuous_refresh: 'true' },
  answer: tokenAnswer.extend({
    expires_in: z.number().positive().optional(),
    refresh_token_expires_in: z.number().positive().optional(),
  }),
  permissions,
  refusals: {
    authorization_code: { invalid_client: NOT_THE_APP, 400: NOT_GRANTED, 401: NOT_GRANTED },
    refresh_token: { invalid_client: NOT_THE_APP, 400: NOT_RENEWED, 401: NOT_RENEWED },
  },
  otherRefusal: (response, { clock }) => refused(response, 'hidden', clock),
  // Halfway through an access token's 30 days. Each renewal restarts the 60 days of the refresh token, so an account can
  // always be idle for 45. Only the refresh token of the newest answer is sure to work.
  renewAheadMs: 15 * 86_400_000,
  // Not with every 401: a new token of the same grant would lack the same permission.
  isExpired: (error) => is(error, 'token'),
})
