import type { HttpFailure } from '../../../infra/http/http.ts'
import { errorCode } from '../../../infra/http/outbound-address.ts'

/** OpenSSL's and Node's error codes for bad certificates and handshakes. */
const TLS = /CERT|SSL|TLS|SIGNATURE|ISSUER|CRL|EPROTO/

/** Why there was no response, in our own words: nothing that the receiver sent is repeated. */
export function attemptProblem({ kind, message, cause }: HttpFailure): string {
  switch (kind) {
    case 'blocked':
      return `Refused by the outbound guard: ${message}`
    case 'bad-url':
      return `Not a usable URL: ${message}`
    case 'unreachable':
      return notConnected(errorCode(cause), message)
    case 'timeout':
      return 'Timeout: no response within 15 seconds'
    case 'reset':
      return 'The connection was lost before a response arrived'
    case 'too-large':
      return 'The response headers are too large'
    case 'malformed':
      return 'The response is not valid HTTP'
    case 'aborted':
      return 'The attempt was interrupted'
  }
}

function notConnected(code: string, message: string): string {
  if (code === 'ECONNREFUSED') return 'Connection refused'
  return TLS.test(code) ? `TLS failed (${code})` : `No connection: ${message}`
}
