import * as z from 'zod'
import { oauthClient, tokenAnswer, type Meaning, type Meanings } from '../kit/oauth-client.ts'
import type { Credentials, Permissions } from '../kit/platform.ts'
import { isForInbox, scopeFor } from './credentials.ts'
import { isExpired } from './errors.ts'

const NOT_THE_APP: Meaning = { kind: 'permanent', text: 'TikTok does not accept clientId and clientSecret' }
const FAILED: Meaning = { kind: 'retryable', text: 'TikTok could not grant access' }
const OF_ANY_GRANT: Meanings = {
  invalid_client: NOT_THE_APP,
  unauthorized_client: NOT_THE_APP,
  server_error: FAILED,
  temporarily_unavailable: FAILED,
}

const IDENTITY = 'user.info.basic'

/** For identifying the account, and posting. An app may be approved for only one of the two ways to post. */
export function permissions(chosen: Credentials): Permissions {
  return { publishing: [IDENTITY, scopeFor(chosen)] }
}

const oauth = oauthClient({
  platform: 'tiktok',
  // Login Kit for Web, which has no PKCE, unlike the one for desktop apps.
  consent: {
    url: 'https://www.tiktok.com/v2/auth/authorize/',
    separator: ',',
    idField: 'client_key',
  },
  tokenUrl: 'https://open.tiktokapis.com/v2/oauth/token/',
  revocation: { url: 'https://open.tiktokapis.com/v2/oauth/revoke/', token: 'accessToken', withApp: true },
  needsSecret: true,
  authenticate: ({ clientId, clientSecret = '' }) => ({ form: { client_key: clientId, client_secret: clientSecret } }),
  // A refresh token can be used once; the answer has the next one.
  answer: tokenAnswer
    .extend({ refresh_token: z.string().min(1), refresh_expires_in: z.number().positive().optional() })
    .transform((answer) => ({ ...answer, refresh_token_expires_in: answer.refresh_expires_in })),
  // `connect` requires the others.
  permissions: { publishing: [IDENTITY] },
  refusesWith200: true,
  refusals: {
    authorization_code: {
      ...OF_ANY_GRANT,
      invalid_grant: {
        kind: 'permanent',
        text: 'TikTok does not accept the code: it was already used, has expired or was issued for another redirect URI',
      },
    },
    refresh_token: {
      ...OF_ANY_GRANT,
      invalid_grant: { kind: 'needs-reauth', text: 'TikTok no longer renews the access' },
    },
  },
  // An access token lives for 2 hours, or 24 according to older documentation.
  renewAheadMs: 10 * 60_000,
  isExpired,
})

export const { renewalAt, revoke } = oauth
/** `video.list` finds photos whose response was lost. It lists no uploads to the inbox. */
export function optional(chosen: Credentials): Permissions {
  return isForInbox(chosen) ? {} : { publishing: ['video.list'] }
}

export const authorization = { ...oauth.authorization, asksFor: ['privacyLevel'] }
