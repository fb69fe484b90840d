import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { stopFailure, type Deadline } from './deadline.ts'
import type { Demand } from './http-demand.ts'
import { HttpFailure, type HttpRequest } from './http.ts'
import { errorCode } from './outbound-address.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Raw: neither decoded nor limited. */
  readonly body: Readable
}

export interface Outgoing {
  readonly url: URL
  readonly method: NonNullable<HttpRequest['method']>
  readonly headers: Readonly<Record<string, string>>
  readonly body: HttpRequest['body']
}

export interface Wire {
  readonly dispatcher: Dispatcher
  readonly demand: Demand
}

/**
 * One request and its answer, never repeated, using the dispatcher's own callbacks: only they reveal whether writing had started,
 * and thus whether the request may have arrived.
 *
 * @throws HttpFailure; it also destroys the answer's body
 */
export function exchange(outgoing: Outgoing, deadline: Deadline, { dispatcher, demand }: Wire): Promise<Answer> {
  const { url, method, headers } = outgoing
  return new Promise((resolve, reject) => {
    const served = demand.add(url.origin)
    let controller: Dispatcher.DispatchController | undefined
    let complete = false
    const upload = outgoing.body instanceof Readable ? watched(outgoing.body) : outgoing.body
    const body = new Readable({
      read: () => controller?.resume(),
      destroy: (error, done) => {
        if (!complete) controller?.abort(error ?? new Error('no longer wanted'))
        if (upload instanceof Readable) upload.destroy()
        done(error)
      },
    })
    // The caller gets the failure from the promise or their own listener; without this one it would be thrown.
    body.on('error', () => {})
    const fail = (failure: HttpFailure): void => {
      served()
      reject(failure)
      body.destroy(failure)
    }
    const stop = (): void => fail(stopFailure(deadline, controller !== undefined))
    if (deadline.signal.aborted) return stop()
    deadline.signal.addEventListener('abort', stop, { once: true })
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body: upload ?? null },
      {
        // Called right before the first byte is written. A request aborted before that is never sent.
        onRequestStart: (started) => {
          if (body.destroyed) return started.abort(new Error('cancelled'))
          controller = started
          served()
        },
        onResponseStart: (_controller, status, headers) => {
          if (status >= 200) resolve({ status, headers: joined(headers), body })
        },
        onResponseData: (paused, chunk) => {
          if (!body.push(chunk)) paused.pause()
        },
        onResponseEnd: () => {
          complete = true
          body.push(null)
        },
        onResponseError: (_controller, error) => fail(toFailure(error, url.hostname, controller !== undefined)),
      },
    )
  })
}

/** Distinguishes a body that we cannot read from a connection that broke while sending it. */
function watched(body: Readable): Readable {
  const broken = (cause: unknown): never => {
    throw new HttpFailure('aborted', 'the request body was interrupted', true, { cause })
  }
  const read = async function* (): AsyncGenerator<unknown> {
    const chunks = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await chunks.next().catch(broken)
        if (next.done) return
        yield next.value
      }
    } finally {
      body.destroy()
    }
  }
  body.on('error', () => {})
  return Readable.from(read(), { objectMode: false }).on('error', () => {})
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value = '']) => [name.toLowerCase(), [value].flat().join(', ')])
  return Object.fromEntries(pairs)
}

function toFailure(error: Error, host: string, mayHaveArrived: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error
  const code = errorCode(error)
  const failure = (kind: HttpFailure['kind'], message: string): HttpFailure =>
    new HttpFailure(kind, `${message} (${code})`, mayHaveArrived, { cause: error })
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return failure('too-large', `the response headers from ${host} are too large`)
  if (error.name === 'HTTPParserError') return failure('malformed', `${host} did not respond in HTTP/1.1`)
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    return failure('malformed', 'the request is not valid')
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return failure('aborted', 'the HTTP client was closed')
  return mayHaveArrived
    ? failure('reset', `the connection to ${host} was lost`)
    : failure('unreachable', `could not connect to ${host}`)
}
