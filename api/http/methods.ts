import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Those that some path supports. */
const SUPPORTED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** The router knows all others by this one: a route for each of thirty, on every path, took most of the time of building the server. */
const OTHER = 'TRACE'
const asked = new WeakMap<IncomingMessage, string>()

/** Before a request is routed. */
export function routeOtherMethods(request: IncomingMessage): void {
  const { method = '' } = request
  if (SUPPORTED.includes(method)) return
  asked.set(request, method)
  request.method = OTHER
}

/** Once it has been routed. */
export function restoreMethod(request: IncomingMessage): void {
  request.method = asked.get(request) ?? request.method
}

/**
 * Answers the methods that a path does not support. The router itself decides whether the path is known, so there cannot be
 * two interpretations of a path. These routes carry `allow` in their config and never reach their handler.
 */
export function otherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  app.route({
    method: [...SUPPORTED, OTHER].filter((method) => !allowed.includes(method)),
    url,
    config: { allow: allowed.join(', ') },
    handler: async () => {
      throw new Error('a method that the path does not support was let through')
    },
  })
}
