import type { z } from 'zod'
import { bodyOf, send, type Effect, type RestCall, type RestIo } from '../rest.ts'
import { refused } from './errors.ts'

/** The only one there is; it does not follow those of the Graph API. */
const VERSION = 'v1.0'
const TIMEOUT_MS = 10_000

/** Where, and as whom, the Threads API is called. */
export interface Session {
  /** Without version and trailing slash. */
  readonly host: string
  readonly token: string
}

export interface GraphCall {
  readonly method: 'GET' | 'POST'
  /** Below the version. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** Default `hidden`. */
  readonly effect?: Effect
  /** Default 10 s. */
  readonly timeoutMs?: number
}

/**
 * One call of the Threads API, its answer decoded.
 *
 * @throws ThreadsError, or PlatformError when there is no answer that can be read
 */
export function graph<T>(session: Session, call: GraphCall, answer: z.ZodType<T>, io: RestIo): Promise<T> {
  const { host, token } = session
  const { method, path, query, form, effect, timeoutMs = TIMEOUT_MS } = call
  const url = withQuery(`${host}/${VERSION}${path}`, query)
  return answered(
    { method, url, token, timeoutMs, ...(effect && { effect }), ...(form && { form }) },
    token,
    answer,
    io,
  )
}

/**
 * A call whose URL is whole, as that of the tokens, which has no version.
 *
 * @throws as `graph`
 */
export async function answered<T>(call: RestCall, token: string, answer: z.ZodType<T>, io: RestIo): Promise<T> {
  const response = await send('threads', call, io)
  if (response.status < 200 || response.status > 299) throw refused(response, call.effect, token, io.clock)
  return bodyOf('threads', call, response, answer)
}

export function withQuery(url: string, query: Readonly<Record<string, string>> | undefined): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? url : `${url}?${text}`
}
