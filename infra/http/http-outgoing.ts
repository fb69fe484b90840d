import { validateHeaderName, validateHeaderValue } from 'node:http'
import { Readable } from 'node:stream'
import { HttpFailure, type HttpRequest } from './http.ts'
import { ACCEPT_ENCODING } from './http-body.ts'
import type { Outgoing } from './http-exchange.ts'
import { outboundUrl } from './outbound-address.ts'

/** These frame the message or name its receiver, so only the client may set them. */
const FRAMING = new Set(['connection', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

/**
 * A request as it will be sent, with defaults applied and header names in lower case.
 *
 * @throws HttpFailure `bad-url`, or `malformed` for a header that would not stay one header
 */
export function toOutgoing(url: string, { method, headers, body }: HttpRequest, userAgent: string): Outgoing {
  const checked = Object.entries(headers ?? {}).map(([name, value]) => checkedHeader(name.toLowerCase(), value))
  const all: Record<string, string> = {
    'user-agent': userAgent,
    'accept-encoding': ACCEPT_ENCODING,
    ...Object.fromEntries(checked),
  }
  if (body instanceof Readable && !/^\d+$/.test(all['content-length'] ?? '')) {
    throw new HttpFailure('malformed', 'a streamed request body requires a content-length', false)
  }
  return { url: outboundUrl(url), method: method ?? 'GET', headers: all, body }
}

function checkedHeader(name: string, value: string): readonly [string, string] {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch (error) {
    // The value may be a secret, so it is not repeated.
    throw new HttpFailure('malformed', `not a valid header: ${JSON.stringify(name)}`, false, { cause: error })
  }
  if (FRAMING.has(name)) throw new HttpFailure('malformed', `the header ${name} cannot be set by the caller`, false)
  return [name, value]
}
