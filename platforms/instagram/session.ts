import { z } from 'zod'
import { expiryOf, tokenFields, withToken, type TokenRenewal } from '../oauth-token.ts'
import { PlatformError, type Credentials, type PlatformAccount, type PlatformIo } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { isTrouble } from './errors.ts'
import { answered, withQuery, type Session } from './graph.ts'

const DAY_MS = 86_400_000
/** A token of 60 days is renewed in its last ten, and not before it is a day old: Instagram refuses that. */
const RENEW_AHEAD_MS = 10 * DAY_MS
const RENEWABLE_AFTER_MS = DAY_MS

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
      'how the token was had: instagram (Instagram login), facebook (Facebook login, token of the linked Page)',
    ),
  accessToken: tokenFields.accessToken.describe('long-lived Instagram user token, or the token of the linked Page'),
  expiresAt: tokenFields.expiresAt,
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe('secret of the Meta app; only for an app that demands a proof of it (appsecret_proof)'),
})

/** What is kept beside: for the renewal, and to know our own comments by. */
const keptCredentials = givenCredentials.extend({
  issuedAt: z.iso.datetime().optional(),
  username: z.string(),
})
type KeptCredentials = z.infer<typeof keptCredentials>

const newToken = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/**
 * Does work under the account's token.
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

/** When a token that is that young ends, at the earliest. */
export function youngTokenEnds(now: number): string {
  return expiryOf((59 * DAY_MS) / 1000, now)
}

/**
 * Exchanges an Instagram user token for one of another 60 days.
 *
 * @throws PlatformError
 */
export async function renewedToken(
  { host, token }: Session,
  io: RestIo,
): Promise<{ accessToken: string; expiresAt: string; issuedAt: string }> {
  const url = withQuery(`${host}/refresh_access_token`, { grant_type: 'ig_refresh_token', access_token: token })
  const answer = await answered({ method: 'GET', url }, token, newToken, io)
  const now = io.clock.now()
  return { accessToken: answer.access_token, expiresAt: expiryOf(answer.expires_in, now), issuedAt: expiryOf(0, now) }
}

function renewalFor({ baseUrl }: PlatformAccount): TokenRenewal {
  return {
    aheadMs: RENEW_AHEAD_MS,
    isExpired: (error) => isTrouble(error, 'token'),
    refresh: async (stale, io) => {
      const kept = keep(stale)
      if (kept.loginType === 'facebook') {
        throw new PlatformError(
          'needs-reauth',
          "The account needs a new access token, Facebook no longer accepts the Page's.",
        )
      }
      const now = io.clock.now()
      // Too young to be renewed: whether it is still good is for Instagram to say.
      if (now - Date.parse(kept.issuedAt ?? '') < RENEWABLE_AFTER_MS) return stale
      try {
        return { ...stale, ...(await renewedToken(sessionOf(kept, baseUrl), io)) }
      } catch (error) {
        return failedRenewal(error, stale, now < Date.parse(kept.expiresAt ?? ''))
      }
    },
  }
}

/** Renewed ahead of its end, a token is good for a while yet, and the renewal tried again with the next call. */
function failedRenewal(error: unknown, stale: Credentials, stillGood: boolean): Credentials {
  if (!(error instanceof PlatformError) || error.kind === 'needs-reauth') throw error
  if (stillGood) return stale
  if (error.kind === 'retryable') throw error
  throw new PlatformError('needs-reauth', `The account needs a new access token. ${error.message}`, { cause: error })
}

function keep(credentials: Credentials): KeptCredentials {
  const parsed = keptCredentials.safeParse(credentials)
  if (parsed.success) return parsed.data
  throw new PlatformError(
    'needs-reauth',
    'The stored Instagram credentials are incomplete, the account needs new ones.',
  )
}
