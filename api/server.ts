import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import type { Ids } from '../system/ids.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { createAuthenticate } from './authenticate.ts'
import { answerError, answerRaw, toApiError } from './error-answer.ts'
import { healthRoutes, type HealthChecks } from './health.ts'
import { createIdempotency } from './idempotency.ts'
import { parseBody } from './json-body.ts'
import { openApiDocument } from './openapi.ts'
import { allowanceHeaders, createRateLimiter, type Allowance } from './rate-limit.ts'
import type { AnyRoute, Caller, RouteAnswer } from './route.ts'
import { routeTable } from './routes.ts'
import type { Services } from './services.ts'
import { check } from './validation.ts'

export const BASE_PATH = '/v1'
const MAX_BODY_BYTES = 10 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 30_000
const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

export interface ServerOptions {
  readonly services: Services
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
  readonly health: HealthChecks
  readonly limits: { readonly perMinute: number; readonly perDay: number }
  /** Whether X-Forwarded-For is believed. */
  readonly trustProxy: boolean
  readonly publicUrl: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    route?: AnyRoute
  }
}

/**
 * The HTTP API: every route of the table under `/v1`, checked in the order of decisions "HTTP": route, key, rate limit,
 * scope, validation, then the handler's own.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { services, ids, clock, logger, limits } = options
  const routes = routeTable(services)
  const authenticate = createAuthenticate(services.db, clock)
  const limiter = createRateLimiter(services.db, clock, limits)
  const idempotency = createIdempotency(services.db, clock, () => ids.ulid())

  /** The allowance of a caller who was not counted, because nobody knows who it is or the count failed. */
  const untouched = (): Allowance => ({
    admitted: true,
    limit: limits.perMinute,
    remaining: limits.perMinute,
    resetAt: (Math.floor(clock.now() / 60_000) + 1) * 60,
  })

  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    handlerTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 2 * REQUEST_TIMEOUT_MS,
    trustProxy: options.trustProxy,
    return503OnClosing: false,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : `req_${ids.ulid()}`
    },
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => answerError(reply, error, request.id),
    clientErrorHandler: (error, socket) => answerRaw(socket, error, `req_${ids.ulid()}`, untouched()),
  })
  app.decorateRequest('caller', undefined)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    body === '' ? undefined : parseBody(body),
  )

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    if (!request.url.startsWith(BASE_PATH)) return
    const route = request.routeOptions.config.route
    let refusal: unknown
    if (route) {
      try {
        request.caller = await authenticate(request.headers.authorization)
      } catch (error) {
        refusal = error
      }
    }
    const subject = request.caller ? request.caller.apiKeyId : `address:${addressBlock(request.ip)}`
    const allowance = await limiter.admit(subject)
    limitHeaders(reply, allowance)
    if (!allowance.admitted) {
      const wait = Math.max(1, allowance.resetAt - Math.floor(clock.now() / 1000))
      reply.header('Retry-After', wait)
      throw new Refusal('rate_limit_exceeded', `Too many requests; wait ${wait} s.`)
    }
    if (refusal) throw refusal
    if (route && request.caller && !request.caller.scopes.includes(route.scope)) {
      throw new Refusal('insufficient_scope', `This API key lacks the scope ${route.scope}.`)
    }
  })

  for (const route of routes) {
    app.route({
      method: route.method as HTTPMethods,
      url: BASE_PATH + route.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { route },
      handler: async (request, reply) => {
        const answer = await run(route, request)
        if (answer.replayed) reply.header('Idempotent-Replayed', 'true')
        reply.code(answer.status)
        return answer.body ? { ...answer.body, requestId: request.id } : reply.send()
      },
    })
  }

  const run = async (
    route: AnyRoute,
    request: FastifyRequest,
  ): Promise<RouteAnswer & { readonly replayed: boolean }> => {
    if (!request.caller) throw new Error('a route ran without a caller')
    const key = request.headers['idempotency-key']
    if (route.idempotent && key !== undefined && !IDEMPOTENCY_KEY.test(String(key))) {
      throw new Refusal('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters')
    }
    const checked = {
      params: (route.params && check(route.params, request.params, 'path')) as undefined,
      query: (route.query && check(route.query, request.query, 'query')) as undefined,
      body: (route.body && check(route.body, request.body, 'body')) as undefined,
      caller: request.caller,
      requestId: request.id,
    }
    if (!route.idempotent || key === undefined) {
      return { ...(await route.handle({ ...checked, work: ids.ulid() })), replayed: false }
    }
    // One endpoint of two resources is two calls: the path's own parameters are part of what the key stands for.
    const scope = {
      apiKeyId: request.caller.apiKeyId,
      route: `${route.method} ${pathOf(request.url)}`,
      key: String(key),
    }
    return idempotency.once(scope, (work) => route.handle({ ...checked, work }))
  }

  const patterns: readonly PathPattern[] = [
    ...routes.map(({ method, path }) => ({
      method,
      path: new RegExp(`^${BASE_PATH}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
    { method: 'GET', path: new RegExp(`^${BASE_PATH}/openapi\\.json$`) },
  ]
  const document = openApiDocument(routes, options.publicUrl)
  app.get(`${BASE_PATH}/openapi.json`, async () => document)
  healthRoutes(app, options.health)

  app.setNotFoundHandler(async (request, reply) => {
    const allowed = methodsOf(patterns, pathOf(request.url))
    if (allowed.length > 0) {
      reply.header('Allow', allowed.join(', '))
      throw new Refusal('method_not_allowed', `${request.method} is not allowed here; ${allowed.join(', ')} is.`)
    }
    throw new Refusal('not_found', 'There is no such endpoint.')
  })
  app.setErrorHandler(async (error, request, reply) => {
    const failure = toApiError(error)
    if (failure.status >= 500) logger.error({ err: error, requestId: request.id }, 'request failed')
    if (!reply.hasHeader('X-RateLimit-Limit') && request.url.startsWith(BASE_PATH)) {
      limitHeaders(reply, untouched())
    }
    return answerError(reply, error, request.id)
  })
  return app
}

interface PathPattern {
  readonly method: string
  readonly path: RegExp
}

function methodsOf(patterns: readonly PathPattern[], path: string): readonly string[] {
  const methods = patterns.filter((pattern) => pattern.path.test(path)).map(({ method }) => method)
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}

function limitHeaders(reply: FastifyReply, allowance: Allowance): void {
  reply.headers(allowanceHeaders(allowance))
}

/** IPv6 callers own at least a /64: counting single addresses would count nothing. */
function addressBlock(ip: string): string {
  return ip.includes(':') && !ip.includes('.') ? ip.split(':').slice(0, 4).join(':') : ip
}
