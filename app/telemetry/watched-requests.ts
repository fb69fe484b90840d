import type { FastifyInstance, FastifyRequest } from 'fastify'
import { stopwatch } from '../../infra/runtime/stopwatch.ts'
import type { OpenRequest } from './tracing.ts'
import type { Watch } from './watch.ts'

/** Other methods that the router knows would each add a label value. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Endpoints that machines poll constantly are not traced. */
const TRACED = /^\/(v1\/|mcp$)/

interface Open {
  readonly took: () => number
  readonly trace: OpenRequest | undefined
}

/** Counts, times, traces and logs each request. Call it before any route is added. */
export function watchRequests(app: FastifyInstance, { meter, tracing, logger, clock }: Watch): void {
  const open = new WeakMap<FastifyRequest, Open>()
  const within = (request: FastifyRequest, next: () => void): void => {
    const trace = open.get(request)?.trace
    if (trace) trace.within(next)
    else next()
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, id, headers } = request
    const route = routeOf(request)
    const attributes = { 'http.request.method': method, 'http.route': route, 'fanfare.request_id': id }
    const given = { name: `${method} ${route}`, began: clock.now(), headers, attributes }
    open.set(request, { took: stopwatch(), trace: TRACED.test(route) ? tracing.request(given) : undefined })
    within(request, done)
  })
  // Parsing the body loses the context: it runs in that of the connection.
  app.addHook('preHandler', (request, _reply, done) => within(request, done))

  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply
    const [method, route] = [METHODS.includes(request.method) ? request.method : 'other', routeOf(request)]
    const { took, trace } = open.get(request) ?? {}
    const seconds = took?.() ?? 0
    meter.count('fanfare_http_requests_total', { method, route, status: String(status) })
    meter.observe('fanfare_http_request_seconds', { method, route }, seconds)
    if (status === 429) meter.count('fanfare_rate_limit_refusals_total', {})
    if (reply.hasHeader('Idempotent-Replayed')) meter.count('fanfare_idempotent_replays_total', { route })
    const [requestId, durationMs] = [request.id, Math.round(seconds * 1000)]
    logger.debug({ requestId, method: request.method, route, status, durationMs }, 'answered')
    trace?.end(status)
  })
}

/** As declared, so without ids. All unknown paths share one label. */
function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'unknown'
}
