import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { decode, graphRefusal } from '../meta/refusal.ts'
import { isRenewable, renewedBody } from '../meta/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { authenticate, renew } from './tokens.ts'

const refreshForm = z.strictObject({ grant_type: z.literal('th_refresh_token') })

/** `GET /refresh_access_token`, without a version. Expired tokens cannot be refreshed. */
export function registerRefresh(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/refresh_access_token', (request, reply) => {
    const caller = authenticate(request, deps)
    decode(refreshForm, caller.parameters)
    if (!isRenewable(caller, deps)) {
      throw graphRefusal({ code: 100, message: 'The access token must be at least 24 hours old to be refreshed' })
    }
    return answer(reply, 'refresh', caller, deps, () => renewedBody(renew(caller, deps)))
  })
}
