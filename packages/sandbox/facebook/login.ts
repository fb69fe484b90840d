import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { registerConsent, type Codes } from '../consent.ts'
import type { LedgerAccount, LedgerApp } from '../ledger.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import { isOffLimits } from '../meta/roles.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { letIn, shortLivedOwner, shortLivedToken } from './person.ts'

export const SCOPES = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_read_user_content',
  'read_insights',
  'pages_manage_metadata',
  'business_management',
  'public_profile',
]
/** Seconds. */
const SHORT_LIFETIME_S = 3_600
const LONG_LIFETIME_S = 5_184_000

const app = { client_id: z.string(), client_secret: z.string() }
const codeQuery = z.strictObject({ ...app, redirect_uri: z.string(), code: z.string() })
const exchangeQuery = z.strictObject({
  ...app,
  grant_type: z.literal('fb_exchange_token'),
  fb_exchange_token: z.string(),
})

/** The consent page, and the exchanges of a code for a short-lived token and of that for a long-lived one. */
export function registerLogin(app: FastifyInstance, deps: StandInDeps): void {
  const codes = registerConsent(app, deps, {
    platform: 'facebook',
    path: '/v26.0/dialog/oauth',
    scopes: SCOPES,
    scopeSeparator: ',',
    canDecline: (scope) => scope !== 'public_profile',
    turnsAway: (account) => (isOffLimits(account, 'facebook', deps) ? 'App not active' : undefined),
    further: { auth_type: ['rerequest', 'reauthenticate'] },
  })

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>('/v26.0/oauth/access_token', (request, reply) => {
    const { query } = request
    const { account, give } = 'code' in query ? forCode(query, codes, deps) : forShortLived(query, deps)
    return answerPage(reply, 'refresh', { account, kind: 'userToken' }, deps, give)
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
function forShortLived(query: unknown, deps: StandInDeps): Accepted {
  const { fb_exchange_token: token, ...shown } = decode(exchangeQuery, query)
  const app = appOf(shown, deps)
  const account = shortLivedOwner(token, app, SHORT_LIFETIME_S * 1_000, deps)
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
