import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AccountAuthorization } from '../domain/account/account-authorization.ts'
import type { AccountRemovals } from '../domain/account/account-removals.ts'
import { Refusal } from '../domain/core/errors.ts'
import type { Vault } from '../infra/postgres/vault.ts'
import type { Http } from '../infra/http/http.ts'
import type { MediaStore } from '../infra/media/store.ts'
import type { Ids } from '../infra/runtime/ids.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { lazy } from '../infra/runtime/lazy.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { createAdmission, type Admission } from './http/admission.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { channelPages } from './ops/channels.ts'
import { connectRoutes } from './ops/connect.ts'
import { removalRoutes } from './ops/removals.ts'
import { authenticateEither } from './dashboard/authenticate-user.ts'
import { createDashboard, type DashboardOptions } from './dashboard/dashboard.ts'
import { answerError, answerRaw, loggedApiError } from './http/error-answer.ts'
import { healthRoutes, type HealthChecks } from './ops/health.ts'
import { createIdempotency } from './http/idempotency.ts'
import { parseBody } from './http/json-body.ts'
import { lingering } from './http/linger.ts'
import { mcpEndpoint } from './mcp/endpoint.ts'
import { authenticateAgent } from './oauth/access.ts'
import { createOAuthServer } from './oauth/server.ts'
import { mediaRoutes } from './ops/media.ts'
import { thumbnailRoutes } from './ops/thumbnails.ts'
import { uploadRoutes } from './ops/uploads.ts'
import { verificationRoutes } from './ops/verification.ts'
import { otherMethods, restoreMethod, routeOtherMethods } from './http/methods.ts'
import { mountRoutes } from './http/mount-routes.ts'
import { metricsRoute, type MetricsRoute } from './ops/metrics.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { allowanceHeaders, createRateLimiter } from './http/rate-limit.ts'
import { referenceRoutes } from './ops/reference.ts'
import type { AnyRoute, Caller } from './http/route.ts'
import { routeRunner } from './http/run-route.ts'
import { EVENTS } from './v1/webhooks/event-schemas.ts'
import { routeTable } from './v1/routes.ts'
import type { Services } from './kit/services.ts'
import { ownerOfImage } from '../projections/models/media.ts'
import { timeLimit } from './http/time-limit.ts'
import { createTurns } from './http/turns.ts'
import { createWorkspaceLimit } from './http/workspace-limit.ts'

export const BASE_PATH = '/v1'
export const DASHBOARD_PATH = '/dashboard/api'
const MAX_BODY_BYTES = 10 * 1024 * 1024
/** A request has this long (ms) to arrive, and the same again to be answered (api-spec §8). */
const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const TIMEOUT_CHECK_MS = 1_000
/** Longer paths exceed the header limit anyway, so every id reaches its route's own validation. */
const MAX_PARAM_LENGTH = 16_384
const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/

export interface ServerOptions {
  readonly services: Services
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
  readonly health: HealthChecks
  readonly metrics: MetricsRoute
  /** Registers hooks that see all requests. */
  readonly watch?: (app: FastifyInstance) => void
  readonly authorization: AccountAuthorization
  readonly removals: AccountRemovals
  /** Where browsers reach the service, without a trailing slash. Known once it listens, if the system picks the port. */
  readonly url: () => string
  readonly mediaStore: MediaStore
  /** To the public internet. */
  readonly http: Http
  /** Stores remembered answers that hold a secret. */
  readonly vault: Vault
  /** The dashboard's CSRF tokens are derived from it. */
  readonly derivationSecret: Buffer
  /** Limits per key; all keys of a workspace share `workspaceFactor` (default 5) times as much. */
  readonly limits: { readonly perMinute: number; readonly perDay: number; readonly workspaceFactor?: number }
  /** Whether to trust the proxy that connects to us for the client address (the last entry of X-Forwarded-For). */
  readonly trustProxy: boolean
  readonly publicUrl: string | undefined
  /** By name, served for those who verify whose domain this is. */
  readonly verificationFiles: ReadonlyMap<string, string>
  readonly dashboard: DashboardOptions
  /** Default 30 s. */
  readonly requestTimeoutMs?: number
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    route?: Pick<AnyRoute, 'scope'>
    /** The methods that the path supports, on a route for the others. */
    allow?: string
  }
}

/**
 * The HTTP API: every route of the table under `/v1`, checked in the order of decisions "HTTP": route, key, rate limit,
 * scope, validation, then the handler's own checks.
 */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { services, ids, clock, logger, limits, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
  const routes = routeTable(services)
  const dashboard = createDashboard(options)
  const counting = {
    limiter: createRateLimiter(services.db, clock, limits),
    workspaceLimit: createWorkspaceLimit(services.db, clock, limits),
    userLimiter: dashboard.limiter,
    limits,
    clock,
  }
  const byKey = createAuthenticate(services.db, clock)
  const authenticate = authenticateEither(byKey, dashboard.authenticate, dashboard.cookie)
  const admission = createAdmission({ ...counting, authenticate })
  const { publicUrl, url } = options
  const agentAdmission = createAdmission({
    ...counting,
    authenticate: authenticateAgent(services, byKey, { publicUrl, url }),
  })
  const userAdmission = createAdmission({ ...counting, authenticate: dashboard.authenticate })
  const oauth = createOAuthServer({
    ...services,
    ...{ http: options.http, logger, secret: options.derivationSecret, publicUrl, url },
  })
  const run = routeRunner(createIdempotency(services.db, clock, ids, options.vault), ids, createTurns(clock))
  // Takes a tenth of a second, and most processes never need it.
  const document = lazy(() => openApiDocument(routes, EVENTS, options.publicUrl))

  /** Connections on which a file arrives. */
  const receiving = new WeakSet<Duplex>()

  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 2 * requestTimeoutMs,
    // Only the last hop: earlier entries in the header are the client's own claim.
    trustProxy: options.trustProxy ? (_address, hop) => hop === 0 : false,
    return503OnClosing: false,
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
      // Checked below, so that a missing header gets the same error envelope as any other error.
      requireHostHeader: false,
    },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : `req_${ids.ulid()}`
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: (request) => {
      routeOtherMethods(request)
      return request.url ?? '/'
    },
    frameworkErrors: (error, request, reply) => void refuseUnrouted(error, request, reply),
    clientErrorHandler: (error, socket) => {
      // The time limit is for requests of the usual size; a connection without any progress has one of its own.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && receiving.has(socket)) return
      answerRaw(socket, error, `req_${ids.ulid()}`, admission.uncounted())
    },
  })

  /** A path that the router cannot parse matches no route and runs no hooks, but counts against the limit like any other. */
  const refuseUnrouted = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(allowanceHeaders(admission.uncounted()))
    const refusal = await admission.admit(request, reply).then(
      () => error,
      (reason: unknown) => (reason instanceof Refusal ? reason : error),
    )
    return answerError(reply, refusal, request.id)
  }

  app.addHook('onRequest', async ({ raw }) => restoreMethod(raw))
  options.watch?.(app)
  // RFC 9110 §10.1.1 lets us ignore an unknown expectation; Node would answer it without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) =>
    answerRaw(socket, new Error('CONNECT'), `req_${ids.ulid()}`, admission.uncounted()),
  )

  const limit = timeLimit(clock, requestTimeoutMs)
  app.addHook('onClose', async () => limit.close())
  app.decorateRequest('caller', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    body.length === 0 ? undefined : parseBody(body),
  )

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
    reply.header('X-Content-Type-Options', 'nosniff')
    reply.headers(allowanceHeaders(admission.uncounted()))
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new Refusal('invalid_request', 'the Host header is missing')
    }
  })

  app.setErrorHandler(async (error, request, reply) => {
    loggedApiError(error, logger, request.id)
    return answerError(reply, error, request.id, (text, status) =>
      status === 413 && !request.raw.complete ? lingering(text, request.raw, clock) : text,
    )
  })

  /** Restricts the routes below a prefix to the callers that `by` admits. */
  const admitted = (scope: FastifyInstance, by: Admission) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { route } = request.routeOptions.config
      request.caller = await limit.keep(by.admit(request, reply, route))
      refuseUnknown(request, reply)
    })
    scope.setNotFoundHandler(notReached)
  }
  app.register(
    async (v1) => {
      admitted(v1, admission)
      mountRoutes(v1, routes, { run, limit })
      v1.get('/openapi.json', async () => document())
      otherMethods(v1, '/openapi.json', ['GET'])
    },
    { prefix: BASE_PATH },
  )
  app.register(
    async (scope) => {
      admitted(scope, userAdmission)
      dashboard.mount(scope, { run, limit, oauth })
    },
    { prefix: DASHBOARD_PATH },
  )

  app.register(async (root) => {
    root.addHook('onRequest', async (request, reply) => {
      if (!request.is404 || !dashboard.pages.asks(request)) refuseUnknown(request, reply)
    })
    root.setNotFoundHandler((request, reply) => dashboard.pages.answer(request, reply))
    otherMethods(root, '/', ['GET'])
    healthRoutes(root, options.health)
    mcpEndpoint(root, { routes, services, admission: agentAdmission, run, limit, logger, place: { publicUrl, url } })
    referenceRoutes(root)
    metricsRoute(root, options.metrics)
    verificationRoutes(root, options.verificationFiles)
    mediaRoutes(root, { store: options.mediaStore, clock, logger })
    thumbnailRoutes(root, {
      smallImage: options.dashboard.smallImage,
      urlOf: services.videos.urlOf,
      ownerOfImage: (file) => ownerOfImage(services.db, file),
    })
    void root.register(async (files) => {
      uploadRoutes(files, {
        ...{ uploads: services.uploads, mediaUrlOf: services.videos.urlOf, clock, logger },
        receiving: ({ raw }) => {
          const { socket } = raw
          receiving.add(socket)
          // Storing the file has a time limit of its own. The next request on the connection sets this one again.
          raw.once('end', () => socket instanceof Socket && socket.setTimeout(0))
        },
      })
    })
    void root.register(async (scope) => oauth.mount(scope, { admission, limit }))
    void root.register(async (pages) => {
      connectRoutes(pages, {
        authorization: options.authorization,
        logger,
        seen: services.seen,
        publicUrl: options.publicUrl,
      })
    })
    void root.register(async (callbacks) => {
      removalRoutes(callbacks, { removals: options.removals, admission, url: options.url })
    })
    void root.register(async (pages) => {
      channelPages(pages, { ...services, secret: options.derivationSecret, admission })
    })
  })
  return app
}

/** @throws Refusal not_found, or method_not_allowed with its `Allow` header */
function refuseUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const { allow } = request.routeOptions.config
  if (allow !== undefined) {
    reply.header('Allow', allow)
    throw new Refusal('method_not_allowed', `${request.method} is not allowed here, only ${allow}.`)
  }
  if (request.is404) throw new Refusal('not_found', 'No such endpoint.')
}

async function notReached(): Promise<never> {
  throw new Error('an unknown path was let through')
}
