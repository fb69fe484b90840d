import type { Readable } from 'node:stream'
import type * as z from 'zod'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import { lost, unanswered, unreadableText, type Effect } from '../kit/rest.ts'
import { refused } from './errors.ts'

export interface XrpcCall {
  /** `https://host`, without a trailing slash. */
  readonly host: string
  readonly method: 'GET' | 'POST'
  /** The method's name, such as `com.atproto.repo.putRecord`. */
  readonly nsid: string
  /** A list repeats the parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly token?: string
  readonly body?: { readonly json: object } | Upload
  readonly timeoutMs?: number
  /** Maximum size of the answer in bytes. Default: that of `Http`. */
  readonly maxBytes?: number
  /** What a lost answer means. Default `hidden`. */
  readonly effect?: Effect
}

export interface Upload {
  readonly stream: Readable
  readonly bytes: number
  readonly mimeType: string
}

export type XrpcIo = Pick<PlatformIo, 'http' | 'clock' | 'signal'>

/**
 * Calls an XRPC method and decodes the answer.
 *
 * @throws PlatformError, a PlatformRefusal for an error answer
 */
export async function xrpc<Answer>(call: XrpcCall, answer: z.ZodType<Answer>, io: XrpcIo): Promise<Answer> {
  const response = await send(call, io)
  if (!isSuccess(response)) throw refused(response, call.effect, io.clock)
  try {
    return answer.parse(response.json())
  } catch (error) {
    throw unreadable(error, call.effect)
  }
}

/** Returns the answer whatever its status. @throws PlatformError if there is none */
export async function send(call: XrpcCall, io: XrpcIo): Promise<HttpResponse> {
  try {
    return await io.http.request(`${call.host}/xrpc/${call.nsid}${written(call.query)}`, {
      method: call.method,
      headers: { ...(call.token && { authorization: `Bearer ${call.token}` }), ...contentHeaders(call.body) },
      ...(call.body && { body: 'json' in call.body ? JSON.stringify(call.body.json) : call.body.stream }),
      ...(call.timeoutMs !== undefined && { timeoutMs: call.timeoutMs }),
      ...(call.maxBytes !== undefined && { maxBytes: call.maxBytes }),
      signal: io.signal,
    })
  } catch (error) {
    throw unanswered('bluesky', error, call.effect)
  }
}

/** A success whose body cannot be parsed: something happened, but it is unknown what. */
export function unreadable(error: unknown, effect: Effect | undefined): PlatformError {
  return new PlatformError(lost(effect), `${unreadableText('Bluesky')}.`, { cause: error })
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status <= 299
}

function written(query: XrpcCall['query']): string {
  if (!query) return ''
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  return `?${new URLSearchParams(pairs)}`
}

function contentHeaders(body: XrpcCall['body']): Record<string, string> {
  if (!body) return {}
  if ('json' in body) return { 'content-type': 'application/json' }
  return { 'content-type': body.mimeType, 'content-length': String(body.bytes) }
}
