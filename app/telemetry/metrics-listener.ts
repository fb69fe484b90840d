import { once } from 'node:events'
import { createServer } from 'node:http'
import { bearsToken } from '../../infra/runtime/bearer.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from './prometheus.ts'

export interface MetricsListener {
  readonly port: number
  close(): Promise<void>
}

export interface MetricsListenerOptions {
  readonly port: number
  readonly host: string
  /** Absent: every client that reaches the port is answered. */
  readonly token?: string | undefined
  readonly logger: Logger
}

/** A scrape is one short line and a few headers. */
const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8_192 }

/**
 * A separate port for scrapers, in any process of the service. It only answers `GET /metrics`.
 *
 * @throws if the port is taken
 */
export async function listenForMetrics(
  { text }: Pick<Metrics, 'text'>,
  { port, host, token, logger }: MetricsListenerOptions,
): Promise<MetricsListener> {
  const server = createServer(LIMITS, (request, response) => {
    const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): void => {
      const usual = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
      response.writeHead(status, { ...usual, ...headers }).end(body)
    }
    if (request.url?.split('?', 1)[0] !== '/metrics') return answer(404, 'Only /metrics is served here.\n')
    if (request.method !== 'GET') return answer(405, 'Only GET is allowed here.\n', { allow: 'GET' })
    if (token !== undefined && !bearsToken(request.headers.authorization, token)) {
      return answer(401, 'Send METRICS_TOKEN as a bearer token.\n', { 'www-authenticate': 'Bearer' })
    }
    text().then(
      ({ contentType, body }) => answer(200, body, { 'content-type': contentType }),
      (error: unknown) => {
        logger.error({ err: error }, 'the metrics could not be read')
        answer(500, 'The metrics could not be read; see the log.\n')
      },
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
