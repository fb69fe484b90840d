import { z } from 'zod'
import { expiryOf, tokenFields, withToken, type TokenRenewal } from '../oauth-token.ts'
import { PlatformError, type Credentials, type PlatformAccount, type PlatformIo } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { isTrouble } from './errors.ts'
import { answered, withQuery, type Session } from './graph.ts'

const HOST = 'https://graph.threads.net'
const DAY_MS = 86_400_000
/** A token of 60 days is renewed in its last ten, and not before it is a day old: Threads refuses that. */
const RENEW_AHEAD_MS = 10 * DAY_MS
const RENEWABLE_AFTER_MS = DAY_MS

export const givenCredentials = z.object({
  accessToken: tokenFields.accessToken.describe('long-lived Threads user token'),
  expiresAt: tokenFields.expiresAt,
})

const keptCredentials = givenCredentials.extend({ issuedAt: z.iso.datetime().optional() })

const newToken = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/**
 * Does work under the account's token.
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

export function sessionOf(token: string, baseUrl: string | undefined): Session {
  return { host: baseUrl ?? HOST, token }
}

/** When a token that is that young ends, at the earliest. */
export function youngTokenEnds(now: number): string {
  return expiryOf((59 * DAY_MS) / 1000, now)
}

/**
 * Exchanges a token for one of another 60 days.
 *
 * @throws PlatformError
 */
export async function renewedToken(
  { host, token }: Session,
  io: RestIo,
): Promise<{ accessToken: string; expiresAt: string; issuedAt: string }> {
  const url = withQuery(`${host}/refresh_access_token`, { grant_type: 'th_refresh_token', access_token: token })
  const answer = await answered({ method: 'GET', url }, token, newToken, io)
  const now = io.clock.now()
  return { accessToken: answer.access_token, expiresAt: expiryOf(answer.expires_in, now), issuedAt: expiryOf(0, now) }
}

function renewalFor({ baseUrl }: PlatformAccount): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    isExpired: (error) => isTrouble(error, 'token'),
    refresh: async (stale, io) => {
      const { accessToken, issuedAt, expiresAt } = keep(stale)
      const now = io.clock.now()
      // Too young to be renewed: whether it is still good is for Threads to say.
      if (now - Date.parse(issuedAt ?? '') < RENEWABLE_AFTER_MS) return stale
      try {
        return { ...stale, ...(await renewedToken(sessionOf(accessToken, baseUrl), io)) }
      } catch (error) {
        return failedRenewal(error, stale, now < Date.parse(expiresAt ?? ''))
      }
    },
  }
}

/** Renewed ahead of its end, a token is good for a while yet, and the renewal tried again with the next call. */
function failedRenewal(error: unknown, stale: Credentials, stillGood: boolean): Credentials {
  if (!(error instanceof PlatformError) || error.kind === 'needs-reauth') throw error
  if (stillGood) return stale
  if (error.kind === 'retryable') throw error
  throw new PlatformError('needs-reauth', `${error.message} Connect the account again.`, { cause: error })
}

function keep(credentials: Credentials): z.infer<typeof keptCredentials> {
  const parsed = keptCredentials.safeParse(credentials)
  if (parsed.success) return parsed.data
  throw new PlatformError('needs-reauth', 'The stored Threads credentials are incomplete. Connect the account again.')
}
