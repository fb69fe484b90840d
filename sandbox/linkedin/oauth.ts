import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { answerCall, type Answer, type Refused } from '../answer.ts'
import type { StandInDeps } from '../stand-in.ts'
import { isMember } from './identity.ts'
import { refusalBody, refuse } from './refusal.ts'
import { authenticate, refreshOwner, renew } from './tokens.ts'

const refreshForm = z.strictObject({
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string().min(1),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
})

/** The token endpoint, refreshing only, and whose a token is. */
export function registerOAuth(app: FastifyInstance, deps: StandInDeps): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    )
    scope.post('/oauth/v2/accessToken', (request, reply) => {
      const form = refreshForm.safeParse(request.body)
      if (!form.success) return reply.code(400).send(oauthError('invalid_request', z.prettifyError(form.error)))
      const owner = refreshOwner(form.data.refresh_token, deps)
      const { client_id: clientId, client_secret: clientSecret } = form.data
      if (!owner) return reply.code(400).send(oauthError('invalid_grant', 'The provided refresh token is invalid'))
      const { secrets, externalId } = owner.account
      if (clientId !== secrets['clientId'] || clientSecret !== secrets['clientSecret']) {
        return reply.code(401).send(oauthError('invalid_client', 'Client authentication failed'))
      }
      const fault = deps.faults.take('linkedin', 'refresh', externalId)
      const accept = () => ({ status: 200, body: renew(owner, deps) })
      return answerCall(reply, fault, deps.clock, accept, refusedRefresh)
    })
  })

  app.get('/v2/userinfo', (request, reply) => {
    const { externalId, label } = authenticate(request.headers.authorization, deps)
    const id = externalId.slice(externalId.lastIndexOf(':') + 1)
    // A page's token is of one of its administrators.
    return reply.send({ sub: isMember(externalId) ? id : `admin-${id}`, name: label })
  })
}

function oauthError(error: string, description: string): object {
  return { error, error_description: description }
}

function refusedRefresh(refused: Refused): Answer {
  if (refused === 'rate_limit') {
    return { status: 429, body: refusalBody(refuse(429, 'TOO_MANY_REQUESTS', 'Too many requests')) }
  }
  if (refused === 'server_error') return { status: 500, body: oauthError('server_error', 'Internal Server Error') }
  return { status: 400, body: oauthError('invalid_grant', 'The provided refresh token has expired or was revoked') }
}
