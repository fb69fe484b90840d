import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Refused } from '../answer.ts'
import { answerCall } from '../answer.ts'
import { registerConsent, type Codes } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { tokenError } from './refusal.ts'
import { ACCESS_LIFETIME_S, grantTo, REFRESH_LIFETIME_S, refreshOwner, rotate, type issueTokens } from './tokens.ts'

const SCOPES = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.publish',
  'video.upload',
  'video.list',
]
/** Scopes of an account whose owner has not authorized an app. */
const GRANTED = 'user.info.basic,video.publish,video.list'

const app = { client_key: z.string(), client_secret: z.string() }
const tokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({ ...app, grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1) }),
  z.strictObject({
    ...app,
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.string().min(1),
  }),
])
type TokenForm<Type extends string> = Extract<z.infer<typeof tokenForm>, { grant_type: Type }>

const grantRefused = {
  status: 400,
  body: tokenError('invalid_grant', 'Refresh token is invalid or expired.'),
} as const
const codeRefused = { status: 400, body: tokenError('invalid_grant', 'Authorization code is expired.') } as const
const appRefused = { status: 400, body: tokenError('invalid_client', 'Client key or secret is incorrect.') } as const
const failed = {
  status: 503,
  body: tokenError('temporarily_unavailable', 'The server is currently unable to handle the request.'),
} as const
const REFUSALS = {
  reject: grantRefused,
  token_expired: grantRefused,
  rate_limit: { status: 429, body: tokenError('rate_limit_exceeded', 'Too many requests.') },
  server_error: failed,
} as const satisfies Record<Refused, object>

/** A valid call: its account, and how to issue its tokens. */
interface Accepted {
  readonly account: LedgerAccount
  readonly give: () => ReturnType<typeof issueTokens>
}
type NotAccepted = typeof grantRefused | typeof codeRefused | typeof appRefused

/** The consent page and `POST /v2/oauth/token/`. */
export function registerOauth(app: FastifyInstance, deps: StandInDeps): void {
  const codes = registerConsent(app, deps, {
    platform: 'tiktok',
    path: '/v2/auth/authorize/',
    clientIdName: 'client_key',
    scopes: SCOPES,
    scopeSeparator: ',',
    proofKey: false,
  })

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post('/v2/oauth/token/', (request, reply) => {
      const form = tokenForm.safeParse(request.body)
      if (!form.success) {
        return reply.code(400).send(tokenError('invalid_request', 'The request parameters are malformed.'))
      }
      const found =
        form.data.grant_type === 'refresh_token' ? renewal(form.data, deps) : consented(form.data, codes, deps)
      if ('status' in found) return reply.code(found.status).send(found.body)
      const { account, give } = found
      const { externalId } = account
      const accept = () => {
        const { accessToken, refreshToken } = give()
        const body = {
          open_id: externalId,
          scope: deps.ledger.account('tiktok', externalId)?.secrets['scope'] ?? GRANTED,
          access_token: accessToken,
          expires_in: ACCESS_LIFETIME_S,
          refresh_token: refreshToken,
          refresh_expires_in: REFRESH_LIFETIME_S,
          token_type: 'Bearer',
        }
        return { status: 200, body }
      }
      return answerCall(
        reply,
        { platform: 'tiktok', call: 'refresh', externalId },
        deps,
        accept,
        (refused) => REFUSALS[refused],
      )
    })
  })
}

function renewal(form: TokenForm<'refresh_token'>, deps: StandInDeps): Accepted | NotAccepted {
  const { client_key, client_secret, refresh_token } = form
  const account = refreshOwner(refresh_token, deps)
  if (!account) return grantRefused
  const { clientId, clientSecret } = account.secrets
  if (client_key !== clientId || client_secret !== clientSecret) return appRefused
  return { account, give: () => rotate(account, refresh_token, deps) }
}

function consented(form: TokenForm<'authorization_code'>, codes: Codes, deps: StandInDeps): Accepted | NotAccepted {
  const { client_key: clientId, client_secret, code, redirect_uri: redirectUri } = form
  if (deps.ledger.app('tiktok', clientId)?.clientSecret !== client_secret) return appRefused
  const grant = codes.redeem(code, { clientId, redirectUri })
  return grant ? { account: grant.account, give: () => grantTo(grant, deps) } : codeRefused
}
