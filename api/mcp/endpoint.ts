import { createMcpHandler, localhostAllowedOrigins, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { lazy } from '../../infra/runtime/lazy.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { callerOf, type Admission } from '../http/admission.ts'
import { loggedApiError } from '../http/error-answer.ts'
import { otherMethods } from '../http/methods.ts'
import type { AnyRoute } from '../http/route.ts'
import type { RunRoute } from '../http/run-route.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { toolServer } from './tool-server.ts'
import { toolOf, type ApiTool } from './tools.ts'

export const MCP_PATH = '/mcp'
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
    readonly admission: Admission
    readonly run: RunRoute
    readonly limit: TimeLimit
    readonly logger: Logger
    readonly publicUrl: string | undefined
  },
): void {
  const { routes, admission, run, limit, logger, publicUrl } = deps
  const tools = lazy(() => new Map<string, ApiTool>(routes.map((route) => [route.operationId, toolOf(route)])))
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
      request.caller = await limit.keep(admission.admit(request, reply, {}))
    },
    handler: async (request, reply) => {
      if (Array.isArray(request.body)) throw new Refusal('invalid_request', 'send one JSON-RPC message per request')
      const { actor, ...of } = callerOf(request)
      const caller = {
        caller: { ...of, actor: { ...actor, via: 'mcp' as const } },
        requestId: request.id,
        run: (...[{ route }, call]: Parameters<Parameters<typeof toolServer>[1]['run']>) =>
          limit.keep(run(route, call)),
        refusal: (error: unknown) => loggedApiError(error, logger, request.id),
      }
      const handler = createMcpHandler(() => toolServer(tools(), caller), {
        maxSubscriptions: 0,
        onerror: (err) => logger.debug({ err, requestId: request.id }, 'an MCP message was refused'),
      })
      return reply.send(await handler.fetch(webRequest(request, reply), { parsedBody: request.body }))
    },
  })
  otherMethods(app, MCP_PATH, ['POST'])
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
