import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

/** Stands before others and hands on what it gets, or answers with all that it was told, secrets and all. */
export interface EchoingProxy {
  readonly url: string
  /** From now on every call is answered with this status and an echo; undefined: handed on again. */
  echo(status: number | undefined): void
  /** The headers of all that came. */
  readonly headers: readonly IncomingMessage['headers'][]
}

/** @param target where it hands on to, without a path; absent: it only echoes */
export async function givenEchoingProxy(t: Test, target?: string): Promise<EchoingProxy> {
  let echoing: number | undefined = target === undefined ? 401 : undefined
  const headers: IncomingMessage['headers'][] = []
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    const body = await buffer(request)
    const { url = '', method = 'GET' } = request
    if (echoing !== undefined || target === undefined) {
      response.writeHead(echoing ?? 401, { 'content-type': 'application/json' })
      return response.end(echoOf(url, request.headers, body))
    }
    const { host: _, ...passed } = request.headers
    const onwards = send(`${target}${url}`, { method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onwards.on('error', () => response.destroy())
    return onwards.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close().closeAllConnections())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, headers, echo: (status) => (echoing = status) }
}

/** An error in the words of every platform at once. What it was told comes whole, and so that it is cut off in the middle. */
function echoOf(url: string, headers: IncomingMessage['headers'], body: Buffer): string {
  const said = [headers.authorization ?? '', url, body.toString('latin1').slice(0, 2_000)]
  const message = `not taken: ${said.join(' ')} ${Buffer.from(said.join(' ')).toString('base64')}`
  const words = { message, detail: message, title: message, error_description: message, error_user_msg: message }
  const isFlat = url.startsWith('/bluesky')
  return JSON.stringify({
    ...words,
    code: 1,
    status: 400,
    errors: [words],
    error: isFlat ? 'InvalidRequest' : { ...words, code: 100, status: 'INVALID_ARGUMENT', type: 'OAuthException' },
  })
}
