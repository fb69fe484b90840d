import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** `http.Server` emits it as the `connect` event, never to a route. */
const NOT_ROUTED = ['CONNECT']

/** Registers every HTTP method with the router. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!NOT_ROUTED.includes(method) && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

/**
 * Answers the methods that a path does not support. The router itself decides whether the path is known, so there cannot be
 * two interpretations of a path. These routes carry `allow` in their config and never reach their handler.
 */
export function otherMethods(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    config: { allow: allowed.join(', ') },
    handler: async () => {
      throw new Error('a method that the path does not support was let through')
    },
  })
}
