import type { FastifyInstance } from 'fastify'
import { bearerIn } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { ownerOf } from './tokens.ts'

const WINDOW_MS = 15 * 60_000
/** Calls per user in 15 minutes, as X documents them. */
const LIMITS: Readonly<Record<string, number>> = {
  'POST /2/tweets': 100,
  'DELETE /2/tweets/:id': 50,
  'POST /2/media/upload': 500,
  'POST /2/media/upload/initialize': 1_875,
  'POST /2/media/upload/:id/append': 1_875,
  'POST /2/media/upload/:id/finalize': 1_875,
  'POST /2/media/metadata': 500,
  'GET /2/media/upload': 1_000,
  'GET /2/tweets': 5_000,
  'GET /2/users/me': 75,
  'GET /2/users/:id/mentions': 300,
}
const USUAL_LIMIT = 900

export type Windows = Map<string, { readonly endsAt: number; used: number }>

/** Tells the state of the rate limit with every answer to a user's call, as X does. It is reported, but not enforced. */
export function reportLimits(app: FastifyInstance, windows: Windows, deps: StandInDeps): void {
  app.addHook('onSend', async ({ method, headers, routeOptions }, reply) => {
    const account = ownerOf(bearerIn(headers.authorization) ?? '', deps)
    const path = /\/2\/(?!oauth2).*/.exec(routeOptions.url ?? '')?.[0]
    if (!account || path === undefined || reply.hasHeader('x-rate-limit-reset')) return
    const call = `${method} ${path}`
    const key = `${account.externalId} ${call}`
    const now = deps.clock.now()
    const known = windows.get(key)
    const window = known && known.endsAt > now ? known : { endsAt: now + WINDOW_MS, used: 0 }
    window.used += 1
    windows.set(key, window)
    const limit = LIMITS[call] ?? USUAL_LIMIT
    reply.headers({
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(Math.max(0, limit - window.used)),
      'x-rate-limit-reset': String(Math.ceil(window.endsAt / 1_000)),
    })
  })
}
