import * as z from 'zod'
import { checkedCredentials, storedCredentials } from '../kit/credentials.ts'
import { MOST_RENEWALS } from '../kit/oauth-token.ts'
import {
  PlatformError,
  type Credentials,
  type Platform,
  type PlatformAccount,
  type PlatformIo,
} from '../kit/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { isStaleSession, refused } from './errors.ts'
import { didSchema, serverOf } from './identity.ts'
import { isSuccess, send, xrpc, type XrpcIo } from './xrpc.ts'

/** Where to log in while the account's own server is still unknown. */
const ENTRYWAY = 'https://bsky.social'

/** A token that expires this soon is renewed up front. */
const RENEW_BEFORE_MS = 60_000

export const givenCredentials = z.object({
  identifier: z.string().min(1).describe('Handle (alice.bsky.social), DID or e-mail address of the account'),
  appPassword: z.string().min(1).describe('App password, created in Bluesky under Settings > App passwords'),
})

const keptCredentials = givenCredentials.extend({
  did: didSchema,
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  /** The server that hosts the account. */
  pdsUrl: z.string().min(1),
  /** The server to log in at. */
  serviceUrl: z.string().min(1),
})
type KeptCredentials = z.infer<typeof keptCredentials>

const sessionAnswer = z.object({
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  did: didSchema,
  handle: z.string(),
  didDoc: z.unknown().optional(),
  active: z.boolean().default(true),
})
type SessionAnswer = z.infer<typeof sessionAnswer>

export interface Session {
  readonly did: string
  /** The host to call, without a trailing slash. */
  readonly host: string
  readonly accessJwt: string
}

/** Logs in with an app password, once per account. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const checked = checkedCredentials(givenCredentials, given, 'bluesky')
  const identifier = checked.identifier.trim().replace(/^@/, '')
  const appPassword = checked.appPassword.trim()
  const serviceUrl = baseUrl ?? ENTRYWAY
  const answer = await logIn(serviceUrl, identifier, appPassword, io)
  if (!answer.active) throw new PlatformError('permanent', 'The Bluesky account is not active.')
  const { did, handle, accessJwt, refreshJwt } = answer
  const pdsUrl = homeOf(answer, baseUrl, serviceUrl)
  const credentials = {
    identifier,
    appPassword,
    did,
    accessJwt,
    refreshJwt,
    pdsUrl,
    serviceUrl,
  } satisfies KeptCredentials
  return { externalId: did, label: handle, credentials }
}

/**
 * Runs work with the account's session, which is shared across jobs because logins are limited (30 per 5 minutes). On a
 * stale session, renews it and repeats the work, which was refused and so had no effect. Repeats a few times at most, as
 * another caller may have replaced the new session before it was used.
 *
 * @throws PlatformError, `needs-reauth` if even the app password is no longer accepted
 */
export async function withSession<Result>(
  account: PlatformAccount,
  io: PlatformIo,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const stored = await io.credentials.read()
  let current = expiresSoon(keep(stored).accessJwt, io.clock) ? await renew(stored, account, io) : stored
  for (let renewals = 0; ; renewals += 1) {
    try {
      return await work(toSession(keep(current), account))
    } catch (error) {
      if (!isStaleSession(error) || renewals === MOST_RENEWALS) throw error
      current = await renew(current, account, io)
    }
  }
}

/** Ends the session. The app password remains valid until the owner deletes it. */
export const revoke: NonNullable<Platform['revoke']> = async ({ baseUrl }, io) => {
  const { pdsUrl, refreshJwt } = keep(await io.credentials.read())
  const nsid = 'com.atproto.server.deleteSession'
  const response = await send({ host: baseUrl ?? pdsUrl, method: 'POST', nsid, token: refreshJwt }, io)
  if (!isSuccess(response)) throw refused(response, 'hidden', io.clock)
}

async function renew(stale: Credentials, account: PlatformAccount, io: PlatformIo): Promise<Credentials> {
  return io.credentials.renew(stale, async (current) => {
    const kept = keep(current)
    const host = account.baseUrl ?? kept.pdsUrl
    const answer = await refresh(host, kept.refreshJwt, io).catch((error: unknown) => {
      if (!(error instanceof PlatformError) || error.kind !== 'needs-reauth') throw error
      // By DID: the handle may belong to someone else by now.
      return logIn(kept.serviceUrl, kept.did, kept.appPassword, io)
    })
    const { accessJwt, refreshJwt } = answer
    return { ...kept, accessJwt, refreshJwt, pdsUrl: homeOf(answer, account.baseUrl, kept.pdsUrl) }
  })
}

function logIn(host: string, identifier: string, password: string, io: XrpcIo): Promise<SessionAnswer> {
  const body = { json: { identifier, password } }
  return xrpc({ host, method: 'POST', nsid: 'com.atproto.server.createSession', body }, sessionAnswer, io)
}

function refresh(host: string, token: string, io: XrpcIo): Promise<SessionAnswer> {
  return xrpc({ host, method: 'POST', nsid: 'com.atproto.server.refreshSession', token }, sessionAnswer, io)
}

/** Accounts can move between servers; a configured base URL takes precedence. */
function homeOf(answer: SessionAnswer, baseUrl: string | undefined, known: string): string {
  return baseUrl ?? serverOf(answer.didDoc) ?? known
}

function keep(credentials: Credentials): KeptCredentials {
  return storedCredentials(keptCredentials, credentials, 'bluesky')
}

function toSession({ did, pdsUrl, accessJwt }: KeptCredentials, account: PlatformAccount): Session {
  return { did, host: account.baseUrl ?? pdsUrl, accessJwt }
}

const claims = z.object({ exp: z.number() })

/** Reads a JWT's expiry without verifying it: only the server can verify it, and it has the last word. */
function expiresSoon(jwt: string, clock: Clock): boolean {
  try {
    const { exp } = claims.parse(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')))
    return exp * 1000 - clock.now() < RENEW_BEFORE_MS
  } catch {
    return false
  }
}
