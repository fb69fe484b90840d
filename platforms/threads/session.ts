import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { RENEW_AHEAD_MS, renewedIfOld, renewedToken, type NewToken } from '../meta/user-token.ts'
import { storedCredentials } from '../kit/credentials.ts'
import { tokenFields, withToken, type TokenRenewal } from '../kit/oauth-token.ts'
import type { Credentials, PlatformAccount, PlatformIo } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { api, is } from './api.ts'

const HOST = 'https://graph.threads.net'

export const givenCredentials = z.object({
  accessToken: tokenFields.accessToken.describe('long-lived Threads user token'),
  expiresAt: tokenFields.expiresAt,
})

const keptCredentials = givenCredentials.extend({ issuedAt: z.iso.datetime().optional() })

/**
 * Runs work with the account's token.
 *
 * @throws PlatformError
 */
export function withSession<T>(
  account: PlatformAccount,
  io: PlatformIo,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withToken(io, renewalFor(account), (token) => work(sessionOf(token, account.baseUrl)))
}

export function hostOf(baseUrl: string | undefined): string {
  return baseUrl ?? HOST
}

export function sessionOf(token: string, baseUrl: string | undefined): Session {
  return { host: hostOf(baseUrl), token }
}

/** Renews a token for another 60 days. @throws PlatformError */
export function renewed(session: Session, io: RestIo): Promise<NewToken> {
  return renewedToken(api, 'th_refresh_token', session, io)
}

function renewalFor({ baseUrl }: PlatformAccount): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    isExpired: (error) => is(error, 'token'),
    refresh: async (stale, io) => {
      const { accessToken } = keep(stale)
      return renewedIfOld(stale, () => renewed(sessionOf(accessToken, baseUrl), io), io.clock)
    },
  }
}

function keep(credentials: Credentials): z.infer<typeof keptCredentials> {
  return storedCredentials(keptCredentials, credentials, 'threads')
}
