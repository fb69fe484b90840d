import { inForm, oauthClient, type Meaning, type OAuthServer } from '../kit/oauth-client.ts'
import { is, refused } from './errors.ts'

/** Of an app with the Community Management API. */
export const permissions = {
  // For posting as a member and as a page, reading a page's posts, and identifying the member and their pages.
  publishing: [
    'r_basicprofile',
    'w_member_social',
    'w_organization_social',
    'r_organization_social',
    'rw_organization_admin',
  ],
  comments: ['r_organization_social_feed'],
  replies: ['w_organization_social_feed'],
}

/** Of an app with Share on LinkedIn, and with Sign In with LinkedIn using OpenID Connect to identify the member. */
export const memberPermissions = { publishing: ['openid', 'profile', 'w_member_social'] }

/** LinkedIn does not accept the code, the refresh token or the app's secret. */
const NOT_GRANTED: Meaning = { kind: 'permanent', text: 'LinkedIn did not grant access for the code' }
const NOT_RENEWED: Meaning = { kind: 'needs-reauth', text: 'LinkedIn did not renew the access' }

/**
 * LinkedIn refuses the whole request if a single scope is not one of the app's. Only apps with the Community Management API get
 * refresh tokens, once they are approved.
 */
const server: OAuthServer = {
  platform: 'linkedin',
  consent: { url: 'https://www.linkedin.com/oauth/v2/authorization', separator: ' ' },
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  needsSecret: true,
  authenticate: inForm,
  permissions,
  refusals: {
    authorization_code: { 400: NOT_GRANTED, 401: NOT_GRANTED, 403: NOT_GRANTED },
    refresh_token: { 400: NOT_RENEWED, 401: NOT_RENEWED, 403: NOT_RENEWED },
  },
  otherRefusal: (response, { clock }) => refused(response, 'hidden', clock),
  // Short compared to a token's 60 days, so that a failed renewal wastes little of the old token's life.
  renewAheadMs: 60 * 60_000,
  isExpired: (error) => is(error, 'token'),
}
export const oauth = oauthClient(server)
export const memberOauth = oauthClient({ ...server, permissions: memberPermissions })
