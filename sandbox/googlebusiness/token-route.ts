import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { tokenError } from './refusal.ts'
import { LIFETIME_S, refreshOwner, renewAccess, SCOPE } from './tokens.ts'

const refreshBody = z.strictObject({
  grant_type: z.literal('refresh_token'),
  client_id: z.string(),
  client_secret: z.string(),
  refresh_token: z.string(),
})

/** `POST /token`: renews only. Consent in a browser has no place here. */
export function registerToken(app: FastifyInstance, deps: StandInDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post('/token', (request, reply) => {
      const form = refreshBody.safeParse(request.body)
      if (!form.success) return reply.code(400).send(tokenError('invalid_request', 'Missing or unknown parameter.'))
      const { client_id, client_secret, refresh_token } = form.data
      const account = refreshOwner(refresh_token, deps)
      if (!account) return reply.code(400).send(tokenError('invalid_grant', 'Bad Request'))
      const { clientId, clientSecret } = account.secrets
      if (client_id !== clientId || client_secret !== clientSecret) {
        return reply.code(401).send(tokenError('invalid_client', 'The OAuth client was not found.'))
      }
      return answer(reply, 'refresh', account, deps, () => ({
        status: 200,
        body: {
          access_token: renewAccess(account, deps),
          expires_in: LIFETIME_S,
          scope: SCOPE,
          token_type: 'Bearer',
        },
      }))
    })
  })
}
