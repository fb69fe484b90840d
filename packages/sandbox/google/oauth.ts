import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import { registerConsent, type Codes } from '../consent.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { grantAccess, LIFETIME_S, refreshOwner, renewAccess, revokeAccess } from './tokens.ts'

const client = { client_id: z.string().min(1), client_secret: z.string().min(1) }
const tokenForm = z.discriminatedUnion('grant_type', [
  z.strictObject({ grant_type: z.literal('refresh_token'), ...client, refresh_token: z.string().min(1) }),
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    ...client,
    code: z.string().min(1),
    redirect_uri: z.string().min(1),
  }),
])
type Form<Type extends string> = Extract<z.infer<typeof tokenForm>, { grant_type: Type }>

/** The format of RFC 6749 §5.2, which no other Google endpoint uses. */
function refuse(status: number, error: string, error_description: string): Answer {
  return { status, body: { error, error_description } }
}

const WRONG_CLIENT = refuse(401, 'invalid_client', 'The provided client secret is invalid.')
const REVOKED = refuse(400, 'invalid_grant', 'Token has been expired or revoked.')
const REFUSALS: Readonly<Record<Refused, Answer>> = {
  reject: REVOKED,
  rate_limit: refuse(429, 'rate_limit_exceeded', 'Rate Limit Exceeded'),
  server_error: refuse(503, 'internal_failure', 'Backend Error'),
  token_expired: REVOKED,
}

/** A valid call: its account and its effect. */
interface Accepted {
  readonly account: LedgerAccount
  readonly accept: () => Answer
}

/**
 * Google's consent page, and `POST /token`.
 *
 * @param scopes known to the platform's service; the first one is the scope of accounts without a consent
 */
export function registerGoogleOAuth(
  app: FastifyInstance,
  platform: PlatformKey,
  scopes: readonly [string, ...string[]],
  deps: StandInDeps,
): void {
  const codes = registerConsent(app, deps, {
    platform,
    path: '/o/oauth2/v2/auth',
    clientIdName: 'client_id',
    scopes: [...scopes, 'openid'],
    scopeSeparator: ' ',
    proofKey: false,
    further: { access_type: ['online', 'offline'], prompt: ['none', 'consent', 'select_account'] },
  })

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post('/token', (request, reply) => {
      const form = tokenForm.safeParse(request.body)
      if (!form.success) return send(reply, refuse(400, 'invalid_request', 'Missing or unknown parameter.'))
      const found =
        form.data.grant_type === 'refresh_token'
          ? renewal(form.data, platform, scopes[0], deps)
          : consented(form.data, platform, codes, deps)
      if ('status' in found) return send(reply, found)
      const { account, accept } = found
      return answerCall(
        reply,
        { platform, call: 'refresh', externalId: account.externalId },
        deps,
        accept,
        (refused) => {
          if (refused === 'token_expired') revokeAccess(account, deps)
          return REFUSALS[refused]
        },
      )
    })
  })
}

function renewal(
  { refresh_token, client_id, client_secret }: Form<'refresh_token'>,
  platform: PlatformKey,
  usualScope: string,
  deps: StandInDeps,
): Accepted | Answer {
  const account = refreshOwner(platform, refresh_token, deps)
  if (!account) return refuse(400, 'invalid_grant', 'Bad Request')
  const { clientId, clientSecret, scope = usualScope } = account.secrets
  if (client_id !== clientId || client_secret !== clientSecret) return WRONG_CLIENT
  return {
    account,
    accept: () => ({ status: 200, body: { access_token: renewAccess(account, deps), ...told(scope) } }),
  }
}

function consented(
  { code, redirect_uri: redirectUri, client_id: clientId, client_secret }: Form<'authorization_code'>,
  platform: PlatformKey,
  codes: Codes,
  deps: StandInDeps,
): Accepted | Answer {
  const app = deps.ledger.app(platform, clientId)
  if (!app) return refuse(401, 'invalid_client', 'The OAuth client was not found.')
  if (client_secret !== app.clientSecret) return WRONG_CLIENT
  if (redirectUri !== app.redirectUri) return refuse(400, 'redirect_uri_mismatch', 'Bad Request')
  const grant = codes.redeem(code, { clientId, redirectUri })
  if (!grant) return refuse(400, 'invalid_grant', 'Malformed auth code.')
  return {
    account: grant.account,
    accept: () => {
      const { accessToken: access_token, refreshToken: refresh_token, scope = '' } = grantAccess(grant, deps).secrets
      return { status: 200, body: { access_token, refresh_token, ...told(scope) } }
    },
  }
}

function told(scope: string): object {
  return { expires_in: LIFETIME_S, scope, token_type: 'Bearer' }
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body)
}
