import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { answerCall, send, type Answer, type Refused } from '../answer.ts'
import { registerConsent, type Codes, type ConsentRules, type Grant } from '../consent.ts'
import { takeForms } from '../form-body.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { revokeTokens } from './token.ts'
import type { ClientAuthentication, TokenForm } from './client.ts'

export interface TokenRefusals {
  readonly malformed: (error: z.ZodError) => Answer
  readonly client: Answer
  /** Default: `client`. */
  readonly unknownClient?: Answer
  /** For a redirect URI that is not the app's, before the code is looked at. Default: the code is refused, and used up. */
  readonly redirectUri?: Answer
  readonly code: Answer
  readonly refreshToken: Answer
}

/** One platform's exchange of codes and refresh tokens for access tokens (RFC 6749 §4.1.3 and §6). */
export interface TokenEndpoint {
  readonly path: string
  readonly client: ClientAuthentication
  /** Optional parameters that the platform allows in addition. */
  readonly further?: { readonly code: z.ZodRawShape; readonly refreshToken: z.ZodRawShape }
  /** The account of a valid refresh token. */
  readonly refreshOwner: (refreshToken: string) => LedgerAccount | undefined
  /** Renews the account's tokens and returns the answer's body. */
  readonly renew: (account: LedgerAccount, refreshToken: string) => object
  /** Issues the first tokens after a consent and returns the answer's body. */
  readonly grant: (grant: Grant) => object
  /** Where a token is revoked, with all others of the account. Default: nowhere. */
  readonly revocation?: {
    readonly path: string
    /** Whether the app authenticates. */
    readonly withApp: boolean
    /** The token may be in the query, too. */
    readonly inQuery?: true
    /** The account of a valid token. */
    readonly ownerOf: (token: string) => LedgerAccount | undefined
    readonly refusal: Answer
  }
  readonly refusals: TokenRefusals
  /**
   * Words a scripted fault.
   *
   * @param invalid the refusal of what the call exchanges: a code or a refresh token
   */
  readonly refuse: (refused: Refused, account: LedgerAccount, invalid: Answer) => Answer
}

/** A valid call. */
interface Accepted {
  readonly account: LedgerAccount
  readonly give: () => object
}

/** The consent page and the token endpoint. */
export function registerOAuth(
  app: FastifyInstance,
  deps: StandInDeps,
  consent: ConsentRules,
  endpoint: TokenEndpoint,
): void {
  const { platform } = consent
  const { refusals, refuse } = endpoint
  const codes = registerConsent(app, deps, consent)
  const schema = tokenForm(endpoint)

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    takeForms(scope)
    scope.post(endpoint.path, (request, reply) => {
      const parsed = schema.safeParse(request.body)
      if (!parsed.success) return send(reply, refusals.malformed(parsed.error))
      const form: TokenForm = parsed.data
      const isRefresh = form['grant_type'] === 'refresh_token'
      const client = endpoint.client.shownIn(form, request.headers.authorization)
      const found = isRefresh
        ? renewal(form, client, endpoint)
        : consented(form, client, endpoint, platform, codes, deps)
      if ('status' in found) return send(reply, found)
      const { account, give } = found
      const charge = { platform, call: 'refresh', externalId: account.externalId } as const
      const accept = (): Answer => ({ status: 200, body: give() })
      const invalid = isRefresh ? refusals.refreshToken : refusals.code
      return answerCall(reply, charge, deps, accept, (refused) => refuse(refused, account, invalid))
    })
    const { revocation } = endpoint
    if (revocation) registerRevocation(scope, revocation, endpoint, deps)
  })
}

function registerRevocation(
  app: FastifyInstance,
  { path, withApp, inQuery, ownerOf, refusal }: NonNullable<TokenEndpoint['revocation']>,
  { client, refusals }: TokenEndpoint,
  deps: StandInDeps,
): void {
  const schema = z.strictObject({ token: z.string().min(1), ...(withApp && client.parameters) })
  app.post(path, (request, reply) => {
    const parsed = schema.safeParse(inQuery ? { ...Object(request.query), ...Object(request.body) } : request.body)
    if (!parsed.success) return send(reply, refusals.malformed(parsed.error))
    const account = ownerOf(parsed.data.token)
    if (!account) return send(reply, refusal)
    const { id, secret } = client.shownIn(parsed.data as TokenForm, request.headers.authorization)
    const { clientId, clientSecret } = account.secrets
    if (withApp && (id !== clientId || secret !== clientSecret)) return send(reply, refusals.client)
    revokeTokens(account, deps)
    return send(reply, { status: 200, body: {} })
  })
}

function tokenForm({ client, further = { code: {}, refreshToken: {} } }: TokenEndpoint) {
  const required = z.string().min(1)
  return z.discriminatedUnion('grant_type', [
    z.strictObject({
      grant_type: z.literal('refresh_token'),
      refresh_token: required,
      ...further.refreshToken,
      ...client.parameters,
    }),
    z.strictObject({
      grant_type: z.literal('authorization_code'),
      code: required,
      redirect_uri: required,
      ...further.code,
      ...client.parameters,
    }),
  ])
}

type Client = ReturnType<ClientAuthentication['shownIn']>

function renewal(
  { refresh_token: given = '' }: TokenForm,
  { id, secret }: Client,
  { refreshOwner, renew, refusals }: TokenEndpoint,
): Accepted | Answer {
  const account = refreshOwner(given)
  if (!account) return refusals.refreshToken
  const { clientId, clientSecret } = account.secrets
  if (id !== clientId || secret !== clientSecret) return refusals.client
  return { account, give: () => renew(account, given) }
}

function consented(
  { code = '', redirect_uri: redirectUri = '', code_verifier: verifier }: TokenForm,
  { id: clientId, secret }: Client,
  { grant, refusals }: TokenEndpoint,
  platform: ConsentRules['platform'],
  codes: Codes,
  { ledger }: StandInDeps,
): Accepted | Answer {
  const registered = ledger.app(platform, clientId)
  if (!registered) return refusals.unknownClient ?? refusals.client
  if (secret !== registered.clientSecret) return refusals.client
  if (refusals.redirectUri && redirectUri !== registered.redirectUri) return refusals.redirectUri
  const granted = codes.redeem(code, { clientId, redirectUri, verifier })
  return granted ? { account: granted.account, give: () => grant(granted) } : refusals.code
}
