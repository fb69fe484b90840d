import { createMcpHandler, localhostAllowedOrigins, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS, Refusal } from '../../domain/core/errors.ts'
import { lazy } from '../../infra/runtime/lazy.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { callerOf, type Admission } from '../http/admission.ts'
import { loggedApiError, retryAfterS } from '../http/error-answer.ts'
import { otherMethods } from '../http/methods.ts'
import type { AnyRoute } from '../http/route.ts'
import type { RouteCall, RunRoute } from '../http/run-route.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import type { Services } from '../kit/services.ts'
import { challenge, issuerOf, type Place } from '../oauth/issuer.ts'
import { fullProfile } from './full-profile.ts'
import { taskProfile } from './tasks/task-profile.ts'
import { toolServer } from './tool-server.ts'
import { toolOf, type ApiTool } from './tools.ts'

export const MCP_PATH = '/mcp'
/** The body of a caller over its limit is not read if it is larger: it only says what was asked for. */
const MOST_BYTES_OVER_LIMIT = 65_536
/** The request headers that the protocol's own checks read. */
const READ_HEADERS = /^(accept|content-type|mcp-.*)$/

/**
 * The API as tools (Model Context Protocol, streamable HTTP). Each message is a separate request with its own key, and counts
 * as one.
 */
export function mcpEndpoint(
  app: FastifyInstance,
  deps: {
    readonly routes: readonly AnyRoute[]
    readonly services: Pick<Services, 'db' | 'clock'>
    readonly admission: Admission
    readonly run: RunRoute
    readonly limit: TimeLimit
    readonly logger: Logger
    readonly place: Place
  },
): void {
  const { routes, services, admission, run, limit, logger, place } = deps
  const { publicUrl } = place
  const tools = lazy(() => new Map<string, ApiTool>(routes.map((route) => [route.operationId, toolOf(route)])))
  const profiles = { full: lazy(() => fullProfile(tools())), tasks: lazy(() => taskProfile(tools(), services)) }
  const overLimit = new WeakMap<FastifyRequest, Refusal>()
  const origins = [...localhostAllowedOrigins(), ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])]

  app.post(MCP_PATH, {
    onRequest: async (request, reply) => {
      // Another site may have pointed its name here (DNS rebinding).
      if (!validateOriginHeader(request.headers.origin, origins).ok) {
        throw new Refusal(
          'forbidden',
          'Web pages of other sites cannot use this endpoint. If the site is yours, set PUBLIC_URL.',
        )
      }
      const { authorization } = request.headers
      const admitted = await limit.keep(admission.admitOrTell(request, reply)).catch((error: unknown) => {
        const toToken = challenge(issuerOf(request, place), authorization !== undefined)
        if (error instanceof Refusal && ERROR_STATUS[error.code] === 401) reply.header('WWW-Authenticate', toToken)
        throw error
      })
      request.caller = admitted.caller
      if (!admitted.overLimit) return
      const { 'content-length': length = Infinity } = request.headers
      if (Number(length) > MOST_BYTES_OVER_LIMIT) throw admitted.overLimit
      overLimit.set(request, admitted.overLimit)
    },
    handler: async (request, reply) => {
      if (Array.isArray(request.body)) throw new Refusal('invalid_request', 'send one JSON-RPC message per request')
      const { actor, ...of } = callerOf(request)
      const caller = {
        caller: { ...of, actor: { ...actor, via: 'mcp' as const } },
        requestId: request.id,
        run: ({ route }: ApiTool, call: RouteCall) => limit.keep(run(route, call)),
        refusal: (error: unknown) => {
          const { status: _, ...told } = loggedApiError(error, logger, request.id)
          return { ...told, retryAfterS: retryAfterS(error) }
        },
        refused: overLimit.get(request),
      }
      const profile = profiles[profileOf(request)]()
      const handler = createMcpHandler(() => toolServer(profile, caller, services.clock.now()), {
        maxSubscriptions: 0,
        onerror: (err) => logger.debug({ err, requestId: request.id }, 'an MCP message was refused'),
      })
      return reply.send(await handler.fetch(webRequest(request, reply), { parsedBody: request.body }))
    },
  })
  otherMethods(app, MCP_PATH, ['POST'])
}

const PROFILES = ['tasks', 'full'] as const

/** @throws Refusal invalid_request */
function profileOf({ query }: FastifyRequest): (typeof PROFILES)[number] {
  const { profile = PROFILES[0] } = query as { readonly profile?: unknown }
  const known = PROFILES.find((name) => name === profile)
  if (known) return known
  throw new Refusal('invalid_request', `profile must be one of ${PROFILES.join(', ')}`)
}

/** The request in the form that the protocol's library takes. It aborts when the connection closes. */
function webRequest({ headers }: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController()
  reply.raw.on('close', () => left.abort())
  const read = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    READ_HEADERS.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request(`http://fanfare${MCP_PATH}`, { method: 'POST', headers: read, signal: left.signal })
}
