import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { RENEW_AHEAD_MS, renewedIfOld, renewedToken, type NewToken } from '../meta/user-token.ts'
import { optionalText, storedCredentials } from '../kit/credentials.ts'
import { tokenFields, withToken, type TokenRenewal } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { api, is } from './api.ts'

const LOGIN_TYPES = ['instagram', 'facebook'] as const
type LoginType = (typeof LOGIN_TYPES)[number]

const HOSTS: Readonly<Record<LoginType, string>> = {
  instagram: 'https://graph.instagram.com',
  facebook: 'https://graph.facebook.com',
}

export const givenCredentials = z.object({
  loginType: z
    .enum(LOGIN_TYPES)
    .describe(
      'how the token was obtained: instagram (Instagram login), facebook (Facebook login, token of the linked Page)',
    ),
  accessToken: tokenFields.accessToken.describe('long-lived Instagram user token, or the token of the linked Page'),
  expiresAt: tokenFields.expiresAt,
  clientSecret: optionalText.describe(
    'secret of the Meta app; only for an app that requires proof of it (appsecret_proof)',
  ),
})

/** Also stored: for the renewal, and to recognize our own comments. */
const keptCredentials = givenCredentials.extend({
  issuedAt: z.iso.datetime().optional(),
  username: z.string(),
})
type KeptCredentials = z.infer<typeof keptCredentials>

/**
 * Runs work with the account's token.
 *
 * @throws PlatformError
 */
export function withSession<T>(
  account: PlatformAccount,
  io: PlatformIo,
  work: (session: Session, kept: KeptCredentials) => Promise<T>,
): Promise<T> {
  return withToken(io, renewalFor(account), (_token, credentials) => {
    const kept = keep(credentials)
    return work(sessionOf(kept, account.baseUrl), kept)
  })
}

export function sessionOf(credentials: z.infer<typeof givenCredentials>, baseUrl: string | undefined): Session {
  const { loginType, accessToken: token, clientSecret: appSecret } = credentials
  return { host: baseUrl ?? HOSTS[loginType], token, appSecret }
}

/** Renews an Instagram user token for another 60 days. @throws PlatformError */
export function renewed(session: Session, io: RestIo): Promise<NewToken> {
  return renewedToken(api, 'ig_refresh_token', session, io)
}

function renewalFor({ baseUrl }: PlatformAccount): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    isExpired: (error) => is(error, 'token'),
    refresh: async (stale, io) => {
      const kept = keep(stale)
      if (kept.loginType === 'facebook') {
        throw new PlatformError(
          'needs-reauth',
          "Facebook no longer accepts the Page's token. Connect the account again.",
        )
      }
      return renewedIfOld(stale, () => renewed(sessionOf(kept, baseUrl), io), io.clock)
    },
  }
}

function keep(credentials: Credentials): KeptCredentials {
  return storedCredentials(keptCredentials, credentials, 'instagram')
}
