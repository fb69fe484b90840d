import type { FastifyRequest } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import type { Ids } from '../system/ids.ts'
import type { Idempotency } from './idempotency.ts'
import type { AnyRoute, RouteAnswer } from './route.ts'
import { check } from './validation.ts'

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

export type RunRoute = (
  route: AnyRoute,
  request: FastifyRequest,
) => Promise<RouteAnswer & { readonly replayed: boolean }>

/** Checks a request of a known caller against its route, then runs the handler: once per `Idempotency-Key`, if it has one. */
export function routeRunner(idempotency: Idempotency, ids: Ids): RunRoute {
  return async (route, request) => {
    if (!request.caller) throw new Error('a route ran without a caller')
    const key = route.idempotent ? idempotencyKey(request) : undefined
    const checked = {
      params: (route.params && check(route.params, request.params, 'path')) as undefined,
      query: (route.query && check(route.query, request.query, 'query')) as undefined,
      body: (route.body && check(route.body, request.body, 'body')) as undefined,
      caller: request.caller,
      requestId: request.id,
    }
    if (key === undefined) {
      return { ...(await route.handle({ ...checked, work: ids.ulid() })), replayed: false }
    }
    // One endpoint of two resources is two calls: the path's own parameters are part of what the key stands for.
    const scope = {
      callerId: request.caller.actor.id,
      route: `${route.method} ${route.path} ${JSON.stringify(checked.params ?? {})}`,
      key,
      confidential: route.confidential ?? false,
    }
    return idempotency.once(scope, (work) => route.handle({ ...checked, work }))
  }
}

function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key
  throw new Refusal('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters')
}
