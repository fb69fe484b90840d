import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** What becomes of one request instead of being passed on as it is. */
export type Interception =
  /** Passed on and answered by the server; the answer never comes back. */
  | { readonly kind: 'lose-answer' }
  /** The connection is cut; the server never sees the request. */
  | { readonly kind: 'cut' }
  /** Answered here; the server never sees the request. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body: string
    }

export interface InterceptingProxy {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** The last part of the path of every request so far, without its query. */
  readonly calls: readonly string[]
  /** The next request whose path ends so meets this; more of them queue up. */
  next(pathEnd: string, interception: Interception): void
}

/** An HTTP proxy in front of one server, closed with the test. */
export async function interceptingProxy(t: Pick<Test, 'teardown'>, target: string): Promise<InterceptingProxy> {
  const calls: string[] = []
  const waiting: { pathEnd: string; interception: Interception }[] = []

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    calls.push(path.slice(path.lastIndexOf('/') + 1))
    const index = waiting.findIndex(({ pathEnd }) => path.endsWith(pathEnd))
    const [found] = index === -1 ? [] : waiting.splice(index, 1)
    handle(request, response, target, found?.interception)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    next: (pathEnd, interception) => void waiting.push({ pathEnd, interception }),
  }
}

function handle(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  interception: Interception | undefined,
): void {
  if (interception?.kind === 'cut') return void request.socket.destroy()
  if (interception?.kind === 'answer') {
    const { status, headers, body } = interception
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    return
  }
  const { method = 'GET', headers } = request
  const passedOn = httpRequest(`${target}${request.url ?? ''}`, { method, headers, agent: false }, (answer) => {
    if (interception?.kind === 'lose-answer') {
      answer.resume()
      answer.once('end', () => request.socket.destroy())
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passedOn.on('error', () => request.socket.destroy())
  request.pipe(passedOn)
}
