import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
// Not 'undici': its `fetch` and the rest of it double what is loaded.
import Agent from 'undici/lib/dispatcher/agent.js'
import { startDeadline, type Cancel, type Deadline } from './deadline.ts'
import { guardedConnector } from './guarded-connect.ts'
import { HttpFailure, type Http, type HttpRequest, type HttpResponse, type HttpStream } from './http.ts'
import { decoded } from './http-body.ts'
import { connectionDemand } from './http-demand.ts'
import { exchange } from './http-exchange.ts'
import { toOutgoing } from './http-outgoing.ts'
import { isRedirect, redirected } from './http-redirect.ts'
import type { OutboundGuard } from './outbound-address.ts'

export interface GuardedHttpOptions extends OutboundGuard {
  readonly userAgent: string
  /** Concurrent connections to one origin; further requests queue within their own timeout. Default 16. */
  readonly maxConnectionsPerOrigin?: number
  /** Milliseconds for lookup, connect and TLS of one connection. Default 5,000. */
  readonly connectTimeoutMs?: number
  /** PEM certificates to trust instead of the default ones. */
  readonly ca?: string
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 1024 * 1024

/**
 * The service's `Http`: every connection passes the outbound guard, every exchange has one deadline and a size limit,
 * and nothing is ever sent twice.
 */
export function guardedHttp(options: GuardedHttpOptions): Http {
  const { clock, userAgent, connectTimeoutMs = 5_000, maxConnectionsPerOrigin = 16 } = options
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const demand = connectionDemand()
  const dispatcher = new Agent({
    connect: guardedConnector({ ...options, demand, timeoutMs: connectTimeoutMs, closing: closing.signal }),
    connections: maxConnectionsPerOrigin,
    // The deadline limits the time. The client's own two timeouts measure silence, and only on an open connection.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const follow = async (url: string, request: HttpRequest, deadline: Deadline): Promise<HttpStream> => {
    let outgoing = toOutgoing(url, request, userAgent)
    let hops = 0
    try {
      for (;;) {
        const answer = await exchange(outgoing, deadline, { dispatcher, demand })
        if (hops >= (request.maxRedirects ?? 0) || !isRedirect(answer, outgoing)) {
          const limits = { maxBytes: request.maxBytes ?? MAX_BYTES, decode: request.decode ?? true }
          const { headers, body } = decoded(answer, outgoing.method, limits)
          return { status: answer.status, headers, body, url: outgoing.url.href }
        }
        answer.body.destroy()
        hops += 1
        outgoing = redirected(answer, outgoing)
      }
    } catch (error) {
      throw hops > 0 ? asArrived(error) : error
    }
  }

  const stream: Http['stream'] = async (url, request = {}) => {
    const ms = request.timeoutMs ?? TIMEOUT_MS
    const expired = { kind: 'timeout', message: `no complete response within ${ms} ms` } as const
    const cancels: Cancel[] = [aborted(closing.signal, 'the HTTP client was closed')]
    if (request.signal) cancels.push(aborted(request.signal, 'cancelled by the caller'))
    const deadline = startDeadline(clock, ms, expired, cancels)
    try {
      const answer = await follow(url, request, deadline)
      answer.body.once('close', deadline.end)
      return answer
    } catch (error) {
      deadline.end()
      if (request.body instanceof Readable) request.body.destroy()
      throw error
    }
  }

  return {
    stream,
    request: async (url, request) => toResponse(await stream(url, request)),
    close: async () => {
      closing.abort()
      await dispatcher.destroy()
    },
  }
}

function aborted(signal: AbortSignal, message: string): Cancel {
  return { signal, stop: { kind: 'aborted', message } }
}

/** After a redirect the first hop has received the request, whatever happens to the next. */
function asArrived(error: unknown): unknown {
  return error instanceof HttpFailure ? new HttpFailure(error.kind, error.message, true, { cause: error }) : error
}

async function toResponse({ status, headers, body }: HttpStream): Promise<HttpResponse> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const text = (): string => new TextDecoder().decode(bytes)
  const json = (): unknown => {
    try {
      return JSON.parse(text())
    } catch {
      // No cause: it quotes the body, which may contain a token.
      throw new HttpFailure('malformed', 'the response is not JSON', true)
    }
  }
  return { status, headers, body: bytes, text, json }
}
