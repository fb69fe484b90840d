import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Codes } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import { basicPair } from '../oauth/client.ts'
import { oauthError } from '../oauth/error.ts'
import { revokeTokens } from '../oauth/token.ts'
import { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerX } from './answer.ts'
import { decode, invalidGrant } from './refusal.ts'
import { issueTokens, LIFETIME_S, ownerOf, scopesOf } from './tokens.ts'

/** How an app names itself in the form. An unknown parameter of a token request is ignored (RFC 6749 §3.2). */
const client = { client_id: z.string().min(1).optional(), client_secret: z.string().optional() }
const tokenForm = z.discriminatedUnion('grant_type', [
  z.object({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1), ...client }),
  z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.string().min(1),
    // RFC 7636 allows 128 characters; X's own client sends 171.
    code_verifier: z.string().min(43).max(256),
    ...client,
  }),
])
type TokenForm = z.infer<typeof tokenForm>

/**
 * `POST /2/oauth2/token`. A refresh token can be used once. Using one again permanently ends the account's access, as is reported
 * of X.
 */
export function registerTokens(app: FastifyInstance, codes: Codes, deps: StandInDeps): void {
  app.post('/2/oauth2/token', (request, reply) => {
    const form = decode(tokenForm, request.body)
    const account =
      form.grant_type === 'refresh_token' ? refreshOwner(form, request, deps) : granted(form, codes, request)
    return answerX(reply, 'refresh', account, deps, () => {
      const secrets = { ...account.secrets, ...issueTokens(account.externalId, deps) }
      deps.ledger.saveAccount({ ...account, secrets })
      const { accessToken: access_token, refreshToken: refresh_token } = secrets
      const scopes = scopesOf(account)
      const body = {
        token_type: 'bearer',
        expires_in: LIFETIME_S,
        access_token,
        scope: scopes.join(' '),
        ...(scopes.includes('offline.access') && { refresh_token }),
      }
      return { status: 200, body }
    })
  })
}

const revocationForm = z.object({
  token: z.string().min(1),
  token_type_hint: z.enum(['access_token', 'refresh_token']).optional(),
  ...client,
})

/** `POST /2/oauth2/revoke`: ends the app's whole access to the account. */
export function registerRevocation(app: FastifyInstance, deps: StandInDeps): void {
  app.post('/2/oauth2/revoke', (request, reply) => {
    const { token, ...typed } = decode(revocationForm, request.body)
    const account = ownerOf(token, deps)
    const { accessToken, refreshToken } = account?.secrets ?? {}
    if (!account || (token !== accessToken && token !== refreshToken)) throw invalidGrant()
    mustBeTheApp(account.secrets, typed, request.headers.authorization)
    revokeTokens(account, deps)
    return reply.send({ revoked: true })
  })
}

/** @throws StandInRefusal */
function refreshOwner(
  { refresh_token: given, ...typed }: Extract<TokenForm, { grant_type: 'refresh_token' }>,
  { headers }: FastifyRequest,
  deps: StandInDeps,
): LedgerAccount {
  const account = ownerOf(given, deps)
  if (!account) throw invalidGrant()
  mustBeTheApp(account.secrets, typed, headers.authorization)
  if (account.secrets['refreshToken'] === given) return account
  if (given.startsWith('refresh.')) {
    deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '', refreshToken: '' } })
  }
  throw invalidGrant()
}

/**
 * The account whose owner consented; from now on its tokens belong to this app.
 *
 * @throws StandInRefusal
 */
function granted(
  form: Extract<TokenForm, { grant_type: 'authorization_code' }>,
  codes: Codes,
  { headers }: FastifyRequest,
): LedgerAccount {
  const { code, redirect_uri: redirectUri, code_verifier: verifier, ...typed } = form
  const shown = typed.client_id ?? decodeURIComponent(basicPair(headers.authorization).id)
  const grant = codes.redeem(code, { clientId: shown, redirectUri, verifier })
  if (!grant) throw invalidGrant()
  const { clientId, clientSecret } = grant.app
  mustBeTheApp({ clientId, clientSecret }, typed, headers.authorization)
  const secrets = { ...grant.account.secrets, clientId, clientSecret, scope: grant.scopes.join(' ') }
  return { ...grant.account, secrets }
}

/**
 * An app with a secret shows it in the header, URL-encoded or not, or in the form; the sandbox gives each new account its own app.
 *
 * @throws StandInRefusal
 */
function mustBeTheApp(
  secrets: LedgerAccount['secrets'],
  typed: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
  authorization: string | undefined,
): void {
  const { clientId: id = '', clientSecret: secret = '' } = secrets
  const isTyped = typed.client_id === id && (typed.client_secret ?? '') === secret
  const basic = (...pair: readonly string[]) => `Basic ${Buffer.from(pair.join(':')).toString('base64')}`
  const headers = [basic(id, secret), basic(encodeURIComponent(id), encodeURIComponent(secret))]
  if (isTyped || (secret !== '' && headers.includes(authorization ?? ''))) return
  throw new StandInRefusal(oauthError(401, 'unauthorized_client', 'Missing valid authorization header'))
}
