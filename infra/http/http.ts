import type { Readable } from 'node:stream'

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** A stream requires a `content-length` header. */
  readonly body?: string | Uint8Array | Readable
  /** Milliseconds for the whole exchange: lookup, connect, TLS, headers and body. Default 15,000. */
  readonly timeoutMs?: number
  /** Maximum size of the answer's body in bytes, after decompression. Default 1 MiB. */
  readonly maxBytes?: number
  /** Whether to decode the answer; if not, the body is raw and an unknown coding is not a failure. Default true. */
  readonly decode?: boolean
  /** How many redirects to follow, each hop checked again. Default 0: a redirect is an ordinary answer. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  text(): string
  /** @throws HttpFailure of kind `malformed` when the body is not JSON */
  json(): unknown
}

export interface HttpStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Fails with HttpFailure `too-large` beyond `maxBytes`, `timeout` beyond `timeoutMs`. */
  readonly body: Readable
  /** The address the body came from, after redirects. */
  readonly url: string
}

/** The service's only outbound HTTP: every connection is guarded at connect time (reliability: SSRF). */
export interface Http {
  /** @throws HttpFailure */
  request(url: string, request?: HttpRequest): Promise<HttpResponse>
  /** As `request`, but the body is read by the caller. @throws HttpFailure */
  stream(url: string, request?: HttpRequest): Promise<HttpStream>
  close(): Promise<void>
}

export type HttpFailureKind =
  /** The outbound guard refused the address. */
  | 'blocked'
  /** Not a usable http(s) URL. */
  | 'bad-url'
  /** No connection was made: nothing reached the other side. */
  | 'unreachable'
  | 'timeout'
  /** The connection broke after it was made. */
  | 'reset'
  | 'too-large'
  | 'malformed'
  /** The caller's signal aborted. */
  | 'aborted'

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind
  /** False only if the request certainly never reached the other side. */
  readonly mayHaveArrived: boolean

  constructor(kind: HttpFailureKind, message: string, mayHaveArrived: boolean, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HttpFailure'
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}
