import { HttpFailure } from './http.ts'
import type { Answer, Outgoing } from './http-exchange.ts'
import { outboundUrl } from './outbound-address.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another origin. Anything else that a caller set may be a credential. */
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
])

/** Only GET and HEAD are followed: repeating any other request elsewhere could apply it twice. */
export function isRedirect({ status, headers }: Answer, { method }: Outgoing): boolean {
  return REDIRECTS.has(status) && headers['location'] !== undefined && (method === 'GET' || method === 'HEAD')
}

/** Where a redirect leads. @throws HttpFailure `bad-url`, or `blocked` for a redirect from https to http */
export function redirected({ headers }: Answer, from: Outgoing): Outgoing {
  const location = headers['location'] ?? ''
  const url = outboundUrl(URL.canParse(location, from.url.href) ? new URL(location, from.url).href : location)
  if (from.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new HttpFailure('blocked', 'redirected from https to http', true)
  }
  return { ...from, url, headers: url.origin === from.url.origin ? from.headers : harmless(from.headers) }
}

function harmless(headers: Outgoing['headers']): Outgoing['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)))
}
