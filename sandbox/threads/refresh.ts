import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { decode } from './refusal.ts'
import { asked } from './request.ts'
import { mustBeRenewable, renew, TOKEN_LIFETIME_S } from './tokens.ts'

const parametersOf = z.strictObject({ grant_type: z.literal('th_refresh_token') })

/** `GET /refresh_access_token`, without a version. A token that has ended is past it. */
export function registerRefresh(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/refresh_access_token', (request, reply) => {
    const { account, token, parameters } = asked(request, deps)
    decode(parametersOf, parameters)
    mustBeRenewable(token, deps)
    return answer(reply, 'refresh', account, deps, () => {
      const access_token = renew(account, token, deps)
      return { status: 200, body: { access_token, token_type: 'bearer', expires_in: TOKEN_LIFETIME_S } }
    })
  })
}
