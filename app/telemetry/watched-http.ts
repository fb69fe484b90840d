import type { Readable } from 'node:stream'
import { isPlatformKey, type PlatformKey } from '../../domain/core/platform.ts'
import { HttpFailure, type Http, type HttpRequest } from '../../infra/http/http.ts'
import { stopwatch } from '../../infra/runtime/stopwatch.ts'
import { statusClass } from './event-counts.ts'
import type { Watch } from './watch.ts'

/** The target of a call. `connect`: a platform, before an account exists. */
export type Destination =
  | PlatformKey
  | 'connect'
  | 'media'
  | 'feed'
  | 'webhook'
  | 'notification'
  | 'ai'
  | 'media-store'
  | 'sandbox'

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | Readable
}

/**
 * The HTTP client, with each call counted, timed, traced and logged. Of a URL only the host is recorded: paths and queries may
 * contain secrets. Nothing is added to the request.
 */
export function watchedHttp(http: Http, to: Destination, { meter, tracing, logger }: Watch): Http {
  const watched = <T extends Answered>(url: string, request: HttpRequest = {}, call: () => Promise<T>): Promise<T> => {
    const method = request.method ?? 'GET'
    const address = addressOf(url)
    const attributes = {
      'http.request.method': method,
      'fanfare.destination': to,
      ...(address && {
        'server.address': address.hostname,
        'server.port': Number(address.port) || (address.protocol === 'https:' ? 443 : 80),
        ...(isPlatformKey(to) && { 'url.template': templateOf(address.pathname) }),
      }),
    }
    return tracing.call({ name: `${method} ${to}`, attributes }, async (span) => {
      const took = stopwatch()
      const ended = (answer: string, received: number): object => {
        meter.count('fanfare_outbound_calls_total', { to, answer })
        meter.observe('fanfare_outbound_seconds', { to }, took())
        meter.count('fanfare_outbound_bytes_total', { to, direction: 'sent' }, sentBytes(request))
        meter.count('fanfare_outbound_bytes_total', { to, direction: 'received' }, received)
        return { to, method, host: address?.host, durationMs: Math.round(took() * 1000) }
      }
      try {
        const answer = await call()
        const { status } = answer
        logger.debug({ ...ended(statusClass(status), receivedBytes(answer)), status }, 'outgoing call')
        span.set({ 'http.response.status_code': status })
        if (status >= 400) span.fail(String(status))
        return answer
      } catch (error) {
        const failure = error instanceof HttpFailure ? error.kind : 'error'
        logger.info({ ...ended(failure, 0), failure }, 'outgoing call without a response')
        span.fail(failure)
        throw error
      }
    })
  }
  return {
    request: (url, request) => watched(url, request, () => http.request(url, request)),
    stream: (url, request) => watched(url, request, () => http.stream(url, request)),
    close: () => http.close(),
  }
}

function addressOf(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}

/** A word of an API, such as `v23.0` or `com.atproto.repo.createRecord`, as opposed to an id or token. */
const WORD = /^(v?\d{1,3}(\.\d{1,3})?|[a-z_-]{1,24}|[a-z]+(\.[a-z]+){2,4})$/i

/** A platform's path with the ids removed. */
function templateOf(pathname: string): string {
  return pathname
    .split('/')
    .map((segment) => (segment === '' || WORD.test(segment) ? segment : '{}'))
    .join('/')
}

function sentBytes({ body, headers }: HttpRequest): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body instanceof Uint8Array) return body.length
  return body === undefined ? 0 : announced(headers)
}

function receivedBytes({ body, headers }: Answered): number {
  return body instanceof Uint8Array ? body.length : announced(headers)
}

function announced(headers: HttpRequest['headers']): number {
  const length = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-length')?.[1]
  return /^\d+$/.test(length ?? '') ? Number(length) : 0
}
