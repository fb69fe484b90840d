import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { FACEBOOK_HOST, personWith } from '../meta/facebook-login.ts'
import { pageToken } from '../meta/person.ts'
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
  facebook: FACEBOOK_HOST,
}

export const givenCredentials = z.object({
  loginType: z
    .enum(LOGIN_TYPES)
    .describe(
      'how the token was obtained: instagram (Instagram login), facebook (Facebook login, token of the linked Page)',
    ),
  accessToken: tokenFields.accessToken.describe('long-lived Instagram user token, or the token of the linked Page'),
  expiresAt: tokenFields.expiresAt,
  userToken: optionalText.describe(
    'with Facebook login: long-lived token of the person who runs the Page; used to obtain a new Page token',
  ),
  clientSecret: optionalText.describe(
    'secret of the Meta app; only for an app that requires proof of it (appsecret_proof)',
  ),
})

/** Also stored: for the renewal, and to recognize our own comments. */
const keptCredentials = givenCredentials.extend({
  /** The linked Page, with Facebook login. */
  pageId: z.string().optional(),
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
      if (kept.loginType === 'facebook') return { ...stale, accessToken: await pageTokenAgain(kept, baseUrl, io) }
      return renewedIfOld(stale, () => renewed(sessionOf(kept, baseUrl), io), io.clock)
    },
  }
}

/** @throws PlatformError */
async function pageTokenAgain(
  { userToken, pageId, clientSecret }: KeptCredentials,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<string> {
  const over = "Facebook no longer accepts the Page's token"
  if (userToken === undefined || pageId === undefined) {
    throw new PlatformError('needs-reauth', `${over}. Connect the account again.`)
  }
  try {
    return await pageToken(api, pageId, personWith({ userToken, clientSecret }, baseUrl), io)
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind === 'retryable') throw error
    const message = `${over}, and no other could be obtained: ${error.message} Connect the account again.`
    throw new PlatformError('needs-reauth', message, { cause: error })
  }
}

function keep(credentials: Credentials): KeptCredentials {
  return storedCredentials(keptCredentials, credentials, 'instagram')
}
