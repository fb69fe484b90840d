import { Readable } from 'node:stream'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { callerOf } from './admission.ts'
import { otherMethods } from './methods.ts'
import type { AnyRoute } from './route.ts'
import type { RunRoute } from './run-route.ts'
import type { TimeLimit } from './time-limit.ts'

/** In an `Accept` header. */
const CSV = /\btext\/csv\b/i

/** Registers a table of routes, and the answer to methods that their paths do not support. */
export function mountRoutes(
  app: FastifyInstance,
  routes: readonly AnyRoute[],
  { run, limit, others = {} }: MountedWith,
): void {
  for (const route of routes) {
    app.route({
      method: route.method as HTTPMethods,
      url: urlOf(route),
      config: { route },
      handler: async (request, reply) => {
        const { id: requestId, params, query, body, headers } = request
        const call = { caller: callerOf(request), requestId, params, query, body }
        const asked = route.handleCsv && CSV.test(headers.accept ?? '') ? { ...route, handle: route.handleCsv } : route
        const answer = await limit.keep(run(asked, { ...call, idempotencyKey: headers['idempotency-key'] }))
        if (answer.replayed) reply.header('Idempotent-Replayed', 'true')
        if (answer.headers) reply.headers(answer.headers)
        if (route.handleCsv) reply.header('Vary', 'Accept')
        reply.code(answer.status)
        if (answer.csv) return reply.type('text/csv; charset=utf-8').send(Readable.from(answer.csv))
        return answer.body ? { ...answer.body, requestId: request.id } : reply.send()
      },
    })
  }
  const methods = new Map<string, readonly string[]>(Object.entries(others))
  for (const route of routes) methods.set(urlOf(route), [...(methods.get(urlOf(route)) ?? []), route.method])
  for (const [url, allowed] of methods) otherMethods(app, url, allowed)
}

interface MountedWith {
  readonly run: RunRoute
  readonly limit: TimeLimit
  /** Methods of paths that are registered outside the table. */
  readonly others?: Readonly<Record<string, readonly string[]>>
}

function urlOf({ path }: AnyRoute): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
