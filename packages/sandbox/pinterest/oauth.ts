import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { registerConsent, type Codes } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { decode } from './refusal.ts'
import { ACCESS_LIFETIME_S, grantTo, REFRESH_LIFETIME_S, refreshOwner, rotate } from './tokens.ts'

const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']

const tokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string().min(1),
    scope: z.string().optional(),
  }),
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.string().min(1),
    continuous_refresh: z.enum(['true', 'false']).optional(),
  }),
])
type Form<Type extends string> = Extract<z.infer<typeof tokenForm>, { grant_type: Type }>

const grantRefused = { error: 'invalid_grant', error_description: 'The refresh token is invalid or has expired.' }
const codeRefused = { error: 'invalid_grant', error_description: 'The authorization code is invalid or has expired.' }

/** A valid call: its account, and how to issue its tokens. */
interface Accepted {
  readonly account: LedgerAccount
  readonly give: () => LedgerAccount
}
type Refusal = 'client' | 'grant'

/** The consent page and `POST /oauth/token`. */
export function registerOauth(app: FastifyInstance, deps: StandInDeps): void {
  const codes = registerConsent(app, deps, {
    platform: 'pinterest',
    path: '/oauth/',
    clientIdName: 'client_id',
    scopes: SCOPES,
    scopeSeparator: ',',
    proofKey: false,
  })

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )

    scope.post('/v5/oauth/token', (request, reply) => {
      const form = decode(tokenForm, request.body)
      const { authorization } = request.headers
      const refused = form.grant_type === 'refresh_token' ? grantRefused : codeRefused
      const found =
        form.grant_type === 'refresh_token'
          ? renewal(form, authorization, deps)
          : consented(form, authorization, codes, deps)
      if (found === 'grant') return reply.code(400).send(refused)
      if (found === 'client') {
        return reply.code(401).send({ error: 'invalid_client', error_description: 'Client authentication failed.' })
      }
      return answer(reply, 'refresh', found.account, deps, { status: 400, body: refused }, () => {
        const { accessToken, refreshToken, scope = SCOPES.join(' ') } = found.give().secrets
        const body = {
          response_type: form.grant_type,
          access_token: accessToken,
          token_type: 'bearer',
          expires_in: ACCESS_LIFETIME_S,
          scope,
          refresh_token: refreshToken,
          refresh_token_expires_in: REFRESH_LIFETIME_S,
          refresh_token_expires_at: Math.floor(deps.clock.now() / 1_000) + REFRESH_LIFETIME_S,
        }
        return { status: 200, body }
      })
    })
  })
}

function renewal(
  { refresh_token: given }: Form<'refresh_token'>,
  authorization: string | undefined,
  deps: StandInDeps,
): Accepted | Refusal {
  const account = refreshOwner(given, deps)
  if (!account) return 'grant'
  const { clientId, clientSecret } = account.secrets
  if (authorization !== basic(clientId, clientSecret)) return 'client'
  return { account, give: () => rotate(account, given, deps) }
}

function consented(
  { code, redirect_uri: redirectUri }: Form<'authorization_code'>,
  authorization: string | undefined,
  codes: Codes,
  deps: StandInDeps,
): Accepted | Refusal {
  const shown = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64').toString()
  const app = deps.ledger.app('pinterest', shown.split(':')[0] ?? '')
  if (!app || authorization !== basic(app.clientId, app.clientSecret)) return 'client'
  const grant = codes.redeem(code, { clientId: app.clientId, redirectUri })
  if (!grant) return 'grant'
  return { account: grant.account, give: () => grantTo(grant, deps) }
}

function basic(id = '', secret = ''): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}
