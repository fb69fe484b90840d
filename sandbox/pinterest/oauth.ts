import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { decode } from './refusal.ts'
import { ACCESS_LIFETIME_S, REFRESH_LIFETIME_S, refreshOwner, rotate } from './tokens.ts'

const refreshForm = z.strictObject({
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string().min(1),
  scope: z.string().optional(),
})

const grantRefused = { error: 'invalid_grant', error_description: 'The refresh token is invalid or has expired.' }

/** `POST /oauth/token`: renews only. Consent in a browser has no place here. */
export function registerOauth(app: FastifyInstance, deps: StandInDeps): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )

    scope.post('/v5/oauth/token', (request, reply) => {
      const { refresh_token } = decode(refreshForm, request.body)
      const account = refreshOwner(refresh_token, deps)
      if (!account) return reply.code(400).send(grantRefused)
      const { clientId, clientSecret } = account.secrets
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      if (request.headers.authorization !== basic) {
        return reply.code(401).send({ error: 'invalid_client', error_description: 'Client authentication failed.' })
      }
      return answer(reply, 'refresh', account, deps, { status: 400, body: grantRefused }, () => {
        const { accessToken, refreshToken } = rotate(account, refresh_token, deps)
        const body = {
          response_type: 'refresh_token',
          access_token: accessToken,
          token_type: 'bearer',
          expires_in: ACCESS_LIFETIME_S,
          scope: 'boards:read boards:write pins:read pins:write user_accounts:read',
          refresh_token: refreshToken,
          refresh_token_expires_in: REFRESH_LIFETIME_S,
          refresh_token_expires_at: Math.floor(deps.clock.now() / 1_000) + REFRESH_LIFETIME_S,
        }
        return { status: 200, body }
      })
    })
  })
}
