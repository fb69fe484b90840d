import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import { registerConsent, type Codes, type Grant } from '../consent.ts'
import type { LedgerAccount, LedgerApp } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { decode, graphRefusal } from './refusal.ts'
import { EXPIRED, newToken, readToken } from './token.ts'

/*
 * Facebook Login. Each account has a person of its own until somebody authorizes an app: that person then runs all accounts of the
 * platform, and is identified by the token of the account they logged in as.
 */

/** Prefixes of the tokens of people. */
const SHORT_PREFIX = 'EAAS'
export const USER_PREFIX = 'EAAU'
/** Seconds. */
const SHORT_LIFETIME_S = 3_600
const LONG_LIFETIME_S = 5_184_000

export interface FacebookLogin {
  /** Whose accounts the person runs. */
  readonly platform: PlatformKey
  readonly scopes: readonly string[]
  /** What the page tells an owner who may not consent. */
  readonly turnsAway?: (account: LedgerAccount) => string | undefined
  /** Answers an exchange under the fault scripted for it. */
  readonly answer: (reply: FastifyReply, account: LedgerAccount, accept: () => object) => Promise<FastifyReply>
}

const app = { client_id: z.string(), client_secret: z.string() }
const codeQuery = z.strictObject({ ...app, redirect_uri: z.string(), code: z.string() })
const exchangeQuery = z.strictObject({
  ...app,
  grant_type: z.literal('fb_exchange_token'),
  fb_exchange_token: z.string(),
})

/** The consent page, and the exchanges of a code for a short-lived token and of that for a long-lived one. */
export function registerFacebookLogin(app: FastifyInstance, deps: StandInDeps, login: FacebookLogin): void {
  const { platform, scopes, turnsAway, answer } = login
  const codes = registerConsent(app, deps, {
    ...{ platform, scopes, ...(turnsAway && { turnsAway }) },
    apps: 'facebook',
    path: '/v26.0/dialog/oauth',
    scopeSeparator: ',',
    canDecline: (scope) => scope !== 'public_profile',
    further: { auth_type: ['rerequest', 'reauthenticate'] },
  })

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/v26.0/oauth/access_token', (request, reply) => {
    const { query } = request
    const { account, give } = 'code' in query ? forCode(query, codes, deps) : forShortLived(query, platform, deps)
    return answer(reply, account, give)
  })
}

interface Accepted {
  readonly account: LedgerAccount
  readonly give: () => object
}

/** @throws StandInRefusal */
function forCode(query: unknown, codes: Codes, deps: StandInDeps): Accepted {
  const { code, redirect_uri: redirectUri, ...shown } = decode(codeQuery, query)
  const { clientId } = appOf(shown, deps)
  const grant = codes.redeem(code, { clientId, redirectUri })
  if (!grant) {
    throw graphRefusal({ code: 100, subcode: 36009, message: 'This authorization code has been used.' })
  }
  return {
    account: grant.account,
    give: () => tokenBody(shortLivedToken(grant, deps), SHORT_LIFETIME_S),
  }
}

/** @throws StandInRefusal */
function forShortLived(query: unknown, platform: PlatformKey, deps: StandInDeps): Accepted {
  const { fb_exchange_token: token, ...shown } = decode(exchangeQuery, query)
  const app = appOf(shown, deps)
  const account = shortLivedOwner(token, app, platform, deps)
  return { account, give: () => tokenBody(letIn(account, deps), LONG_LIFETIME_S) }
}

/** @throws StandInRefusal */
function appOf(
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
  { ledger }: StandInDeps,
): LedgerApp {
  const registered = ledger.app('facebook', client_id)
  if (!registered) {
    throw graphRefusal({ code: 101, message: 'Error validating application. Cannot get application info.' })
  }
  if (registered.clientSecret === client_secret) return registered
  throw graphRefusal({ code: 1, message: 'Error validating client secret.' })
}

function tokenBody(access_token: string, expires_in: number): object {
  return { access_token, token_type: 'bearer', expires_in }
}

/** A short-lived token for the person who logs in, with the scopes they granted. */
function shortLivedToken({ account, app, scopes }: Grant, deps: StandInDeps): string {
  const token = newToken(SHORT_PREFIX, account.externalId, deps)
  const login = { shortLivedToken: token, shortLivedFor: app.clientId, scopes: scopes.join(',') }
  deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, ...login } })
  return token
}

/** @throws StandInRefusal */
function shortLivedOwner(
  token: string,
  { clientId }: LedgerApp,
  platform: PlatformKey,
  deps: StandInDeps,
): LedgerAccount {
  const read = readToken(platform, token, deps)
  const { shortLivedToken, shortLivedFor } = read?.account.secrets ?? {}
  if (!read || shortLivedToken !== token || shortLivedFor !== clientId) {
    throw graphRefusal({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
  }
  if (read.issuedAt + SHORT_LIFETIME_S * 1_000 <= deps.clock.now()) throw graphRefusal(EXPIRED)
  return read.account
}

/** Gives the person a long-lived token. From now on, all tokens of the accounts it gives access to belong to the app. */
function letIn({ platform, externalId, secrets }: LedgerAccount, deps: StandInDeps): string {
  const { ledger } = deps
  const userToken = newToken(USER_PREFIX, externalId, deps)
  const { clientId = '', clientSecret = '' } = ledger.app('facebook', secrets['shortLivedFor'] ?? '') ?? {}
  for (const account of ledger.accounts(platform)) {
    const token = account.externalId === externalId ? { userToken } : { sharedUserToken: userToken }
    ledger.saveAccount({ ...account, secrets: { ...account.secrets, ...token, clientId, clientSecret } })
  }
  return userToken
}

/** The accounts that a person runs: the one that they logged in as, and those that came with it. */
export function runBy(account: LedgerAccount, { ledger }: StandInDeps): readonly LedgerAccount[] {
  const { userToken } = account.secrets
  const others = ledger
    .accounts(account.platform)
    .filter(({ secrets }) => secrets['sharedUserToken'] === userToken && userToken !== undefined)
  return [account, ...others]
}
