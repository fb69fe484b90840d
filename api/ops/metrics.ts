import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/core/errors.ts'
import { bearsToken } from '../../infra/runtime/bearer.ts'
import { leadsNowhereElse } from '../http/host-name.ts'
import { otherMethods } from '../http/methods.ts'

export interface MetricsRoute {
  /** The metrics in Prometheus format; undefined when they are not served on the API's port. */
  readonly text: (() => Promise<{ readonly contentType: string; readonly body: string }>) | undefined
  /** A request with the token may come from anywhere. When it is set, local requests need it too. */
  readonly token?: string | undefined
}

/** Headers that proxies add. A direct request from this computer has none. */
const OF_A_PROXY = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const THIS_COMPUTER = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/

/**
 * `/metrics`, for requests with the token or, when none is set, from this computer only. A proxied request, or one for another
 * host name, came from elsewhere (decision 27).
 */
export function metricsRoute(app: FastifyInstance, { text, token }: MetricsRoute): void {
  app.get('/metrics', async (request, reply) => {
    const isAllowed = token === undefined ? isFromHere(request) : bearsToken(request.headers.authorization, token)
    if (!text || !isAllowed) {
      throw new Refusal(
        'not_found',
        'Metrics are available only from this computer at localhost, or with METRICS_TOKEN. Set METRICS_TOKEN, or set METRICS_PORT and read them there.',
      )
    }
    const { contentType, body } = await text()
    return reply.type(contentType).send(body)
  })
  otherMethods(app, '/metrics', ['GET'])
}

function isFromHere({ socket, headers }: FastifyRequest): boolean {
  return (
    THIS_COMPUTER.test(socket.remoteAddress ?? '') &&
    OF_A_PROXY.every((name) => headers[name] === undefined) &&
    isOurName(headers.host)
  )
}

/** A browser on this computer may be sending the request for another site's page. */
function isOurName(host: string | undefined): boolean {
  const url = `http://${host}`
  return host === undefined || (URL.canParse(url) && leadsNowhereElse(new URL(url).hostname))
}
