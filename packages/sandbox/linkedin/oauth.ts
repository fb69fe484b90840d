import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import { registerConsent, type Codes } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refuse } from './refusal.ts'
import { SCOPES } from './scopes.ts'
import { grantTo, refreshOwner, renew } from './tokens.ts'

const client = { client_id: z.string().min(1), client_secret: z.string().min(1) }
const tokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1), ...client }),
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.string().min(1),
    ...client,
  }),
])
type Form<Type extends string> = Extract<z.infer<typeof tokenForm>, { grant_type: Type }>

const WRONG_CLIENT = oauthError(401, 'invalid_client', 'Client authentication failed')

/** A valid call: its account and what it returns. */
interface Accepted {
  readonly account: LedgerAccount
  readonly give: () => object
}

/** The consent page and the token endpoint. */
export function registerOAuth(app: FastifyInstance, deps: StandInDeps): void {
  const codes = registerConsent(app, deps, {
    platform: 'linkedin',
    path: '/oauth/v2/authorization',
    clientIdName: 'client_id',
    scopes: SCOPES,
    scopeSeparator: ' ',
    proofKey: false,
  })

  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    )
    scope.post('/oauth/v2/accessToken', (request, reply) => {
      const form = tokenForm.safeParse(request.body)
      if (!form.success) return send(reply, oauthError(400, 'invalid_request', z.prettifyError(form.error)))
      const found =
        form.data.grant_type === 'refresh_token' ? renewal(form.data, deps) : consented(form.data, codes, deps)
      if ('status' in found) return send(reply, found)
      const charge = { platform: 'linkedin', call: 'refresh', externalId: found.account.externalId } as const
      return answerCall(reply, charge, deps, () => ({ status: 200, body: found.give() }), refusedCall)
    })
  })
}

function renewal(
  { refresh_token, client_id: clientId, client_secret: clientSecret }: Form<'refresh_token'>,
  deps: StandInDeps,
): Accepted | Answer {
  const owner = refreshOwner(refresh_token, deps)
  if (!owner) return oauthError(400, 'invalid_grant', 'The provided refresh token is invalid')
  const { account } = owner
  const isTheApp = clientId === account.secrets['clientId'] && clientSecret === account.secrets['clientSecret']
  return isTheApp ? { account, give: () => renew(owner, deps) } : WRONG_CLIENT
}

function consented(
  { code, redirect_uri: redirectUri, client_id: clientId, client_secret: clientSecret }: Form<'authorization_code'>,
  codes: Codes,
  deps: StandInDeps,
): Accepted | Answer {
  if (deps.ledger.app('linkedin', clientId)?.clientSecret !== clientSecret) return WRONG_CLIENT
  const grant = codes.redeem(code, { clientId, redirectUri })
  if (grant) return { account: grant.account, give: () => grantTo(grant, deps) }
  const why = 'appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.'
  return oauthError(400, 'invalid_request', `Unable to retrieve access token: ${why}`)
}

function oauthError(status: number, error: string, error_description: string): Answer {
  return { status, body: { error, error_description } }
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body)
}

function refusedCall(refused: Refused): Answer {
  if (refused === 'rate_limit') {
    return refuse(429, 'TOO_MANY_REQUESTS', 'Too many requests').answer
  }
  if (refused === 'server_error') return oauthError(500, 'server_error', 'Internal Server Error')
  return oauthError(400, 'invalid_grant', 'The provided refresh token has expired or was revoked')
}
