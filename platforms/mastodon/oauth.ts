import * as z from 'zod'
import type { AuthorizationCode } from '../kit/authorization.ts'
import { inForm, oauthClient, type Meaning } from '../kit/oauth-client.ts'
import type { Permissions } from '../kit/platform.ts'
import { callWith } from './api.ts'

const NOT_THE_APP: Meaning = { kind: 'permanent', text: 'Mastodon does not recognize the app. Start again' }
const NOT_GRANTED: Meaning = { kind: 'permanent', text: 'Mastodon did not grant access for the code. Start again' }

/** Reading is for finding a post again whose response was lost. */
export const permissions: Permissions = {
  publishing: ['read:accounts', 'read:statuses', 'write:media', 'write:statuses'],
  comments: ['read:notifications'],
}
const SCOPES = [...new Set(Object.values(permissions).flat())].join(' ')

/** Tokens never expire. The paths are the same on every server. */
const client = oauthClient({
  platform: 'mastodon',
  consent: { url: 'https://mastodon.social/oauth/authorize', separator: ' ', pkce: true },
  tokenUrl: 'https://mastodon.social/oauth/token',
  revocation: { url: 'https://mastodon.social/oauth/revoke', token: 'accessToken', withApp: true },
  needsSecret: true,
  authenticate: inForm,
  answer: z.object({ access_token: z.string().min(1), scope: z.string().optional().catch(undefined) }),
  permissions,
  contains: {
    read: ['read:accounts', 'read:notifications', 'read:statuses'],
    write: ['write:media', 'write:statuses'],
  },
  refusals: {
    authorization_code: { invalid_client: NOT_THE_APP, invalid_grant: NOT_GRANTED },
    refresh_token: {},
  },
  renewAheadMs: 0,
  isExpired: () => false,
})

export const { revoke } = client

const newApp = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) })

export const authorization: AuthorizationCode = {
  ...client.authorization,
  // The app is needed to revoke the token.
  exchange: async (app, grant, baseUrl, io) => {
    const { clientId, clientSecret = '' } = app
    return { ...(await client.authorization.exchange(app, grant, baseUrl, io)), clientId, clientSecret }
  },
  register: async (redirectUri, baseUrl, io) => {
    const json = { client_name: 'Fanfare', redirect_uris: redirectUri, scopes: SCOPES }
    const call = { method: 'POST', path: '/api/v1/apps', json } as const
    const { client_id: clientId, client_secret: clientSecret } = await callWith(undefined, baseUrl, call, newApp, io)
    return { clientId, clientSecret }
  },
}
