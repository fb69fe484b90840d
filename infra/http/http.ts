import type { Readable } from 'node:stream'

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** A stream needs its `content-length` among the headers. */
  readonly body?: string | Uint8Array | Readable
  /** Milliseconds for the whole exchange: name look-up, connect, TLS, headers and body. Default 15,000. */
  readonly timeoutMs?: number
  /** Most bytes of the answer's body, after decompression. Default 1 MiB. */
  readonly maxBytes?: number
  /** Whether the answer's coding is undone; if not, the body is as sent, and an unknown coding no failure. Default true. */
  readonly decode?: boolean
  /** How many redirects to follow, each hop checked again. Default 0: a redirect is an ordinary answer. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case; repeated headers joined by a comma. */
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

/** The one way out of the service: every connection it makes is guarded at connect time (reliability: SSRF). */
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
  /** The caller's signal. */
  | 'aborted'

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind
  /** False only when the request surely never reached the other side. */
  readonly mayHaveArrived: boolean

  constructor(kind: HttpFailureKind, message: string, mayHaveArrived: boolean, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HttpFailure'
    this.kind = kind
    this.mayHaveArrived = mayHaveArrived
  }
}
