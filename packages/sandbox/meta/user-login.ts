import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import { registerConsent, type Codes, type Grant } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { decode, graphRefusal } from './refusal.ts'
import { asked } from './request.ts'
import { isOffLimits } from './roles.ts'
import { EXPIRED, newToken, readToken, renewedBody } from './token.ts'

const NOT_A_TESTER =
  '{"error_message":"Invalid Request: The user has not accepted the invite to test the app","error_code":1349245}'
/** Milliseconds. */
const SHORT_LIFETIME_MS = 3_600_000

type Secrets = LedgerAccount['secrets']

/** One platform's login flow: a code, a short-lived token, a long-lived one. */
export interface UserLogin {
  readonly platform: PlatformKey
  /** The first cannot be declined. */
  readonly scopes: readonly string[]
  /** Prefix of short-lived tokens. */
  readonly prefix: string
  /** The grant type that exchanges a short-lived token for a long-lived one. */
  readonly exchangeType: string
  /** The response to a code exchange. */
  readonly codeBody: (token: string, grant: Grant) => object
  /** The account's secrets, with a new long-lived token. */
  readonly longLived: (account: LedgerAccount) => Secrets & { readonly accessToken: string }
  /** Answers a renewal under the fault scripted for it. */
  readonly answer: (reply: FastifyReply, account: LedgerAccount, accept: () => object) => Promise<FastifyReply>
}

const codeForm = z.strictObject({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('authorization_code'),
  redirect_uri: z.string(),
  code: z.string(),
})

/** The consent page, `POST /oauth/access_token` for a code, `GET /access_token` for a short-lived token. */
export function registerUserLogin(app: FastifyInstance, deps: StandInDeps, login: UserLogin): void {
  const { platform, scopes } = login
  const codes = registerConsent(app, deps, {
    ...{ platform, scopes },
    path: '/oauth/authorize',
    scopeSeparator: ',',
    canDecline: (scope) => scope !== scopes[0],
    turnsAway: (account) => (isOffLimits(account, platform, deps) ? NOT_A_TESTER : undefined),
  })

  app.post('/oauth/access_token', (request, reply) => {
    const grant = granted(request.body, codes, login, deps)
    if (typeof grant === 'string') {
      return reply.code(400).send({ error_type: 'OAuthException', code: 400, error_message: grant })
    }
    const { account, app } = grant
    return login.answer(reply, account, () => {
      const { clientId, clientSecret } = app
      const shortLivedToken = newToken(login.prefix, account.externalId, deps)
      // From now on, the account's tokens belong to this app.
      const grantedScopes = grant.scopes.join(',')
      const secrets = { ...account.secrets, clientId, clientSecret, shortLivedToken, grantedScopes }
      deps.ledger.saveAccount({ ...account, secrets })
      return login.codeBody(shortLivedToken, grant)
    })
  })

  app.get('/access_token', (request, reply) => {
    const { token = '', parameters } = asked(request)
    const account = shortLivedOwner(token, login, deps)
    const { clientSecret } = account.secrets
    const { client_secret: shown } = decode(exchangeForm(login), parameters)
    if (shown !== clientSecret) throw graphRefusal({ code: 100, message: 'Error validating client secret.' })
    return login.answer(reply, account, () => {
      const secrets = login.longLived(account)
      deps.ledger.saveAccount({ ...account, secrets })
      return renewedBody(secrets.accessToken)
    })
  })
}

/** The grant, or an error message; this endpoint does not use the Graph API's error format. */
function granted(body: unknown, codes: Codes, { platform }: UserLogin, { ledger }: StandInDeps): Grant | string {
  const form = codeForm.safeParse(body)
  if (!form.success) return `Invalid request: ${form.error.issues.map(({ path }) => path.join('.')).join(', ')}`
  const { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri, code } = form.data
  const registered = ledger.app(platform, clientId)
  if (!registered) return 'Invalid platform app'
  if (registered.clientSecret !== clientSecret) return 'Error validating client secret.'
  return codes.redeem(code, { clientId, redirectUri }) ?? 'Matching code was not found or was already used'
}

/** @throws StandInRefusal */
function shortLivedOwner(token: string, { platform, prefix }: UserLogin, deps: StandInDeps): LedgerAccount {
  const read = readToken(platform, token, deps)
  if (read?.prefix !== prefix || read.account.secrets['shortLivedToken'] !== token) {
    throw graphRefusal({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' })
  }
  if (read.issuedAt + SHORT_LIFETIME_MS <= deps.clock.now()) {
    throw graphRefusal(EXPIRED)
  }
  return read.account
}

function exchangeForm({ exchangeType }: UserLogin) {
  return z.strictObject({ grant_type: z.literal(exchangeType), client_secret: z.string() })
}
