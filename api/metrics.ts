import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/errors.ts'
import { leadsNowhereElse } from './host-name.ts'
import { otherMethods } from './methods.ts'

export interface MetricsRoute {
  /** What was measured, as Prometheus reads it; undefined where it is not shown on the port of the API. */
  readonly text: (() => Promise<{ readonly contentType: string; readonly body: string }>) | undefined
}

/** What proxies add. Whoever asks on this computer itself sends none. */
const OF_A_PROXY = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const THIS_COMPUTER = /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/

/** `/metrics`, for this computer alone: what a proxy hands on, or was asked of another name, has come from elsewhere (decision 27). */
export function metricsRoute(app: FastifyInstance, { text }: MetricsRoute): void {
  app.get('/metrics', async (request, reply) => {
    if (!text || !isFromHere(request)) {
      throw new Refusal(
        'not_found',
        'Metrics are not shown here, but to this computer at localhost. Set METRICS_PORT, and read them from that port.',
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

/** A browser on this computer may be asking for a page of somebody else's. */
function isOurName(host: string | undefined): boolean {
  const url = `http://${host}`
  return host === undefined || (URL.canParse(url) && leadsNowhereElse(new URL(url).hostname))
}
