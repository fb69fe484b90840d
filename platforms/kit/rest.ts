import type { Readable } from 'node:stream'
import type * as z from 'zod'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import { HttpFailure, type HttpRequest, type HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind, type PlatformIo } from './platform.ts'

/** Whether other people see the effect of a call. A `visible` call whose response is lost is `ambiguous` and never repeated. */
export type Effect = 'hidden' | 'visible'

/** A call of a platform's HTTP API. At most one of `json`, `form` and `content`. */
export interface RestCall {
  readonly method: NonNullable<HttpRequest['method']>
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
  readonly json?: object
  readonly form?: Readonly<Record<string, string>>
  /** Sent as is, and opened again for each request. */
  readonly content?: { readonly type: string; readonly bytes: number; readonly open: () => Readable }
  /** Milliseconds. Default: that of `Http`. */
  readonly timeoutMs?: number
  /** Default `hidden`. */
  readonly effect?: Effect
}

export type RestIo = Pick<PlatformIo, 'http' | 'clock' | 'signal' | 'versions'>

/** Timeout (ms) of an upload: half a minute, plus the time it takes at 100 kB/s. */
export function uploadTimeoutMs(bytes: number): number {
  return 30_000 + Math.ceil(bytes / 100)
}

/**
 * Sends a call. The caller checks the status.
 *
 * @throws PlatformError when there is no response
 */
export async function send(platform: PlatformKey, call: RestCall, io: RestIo): Promise<HttpResponse> {
  const { method, url, token, json, form, content, timeoutMs } = call
  const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : content?.open()
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(json && { 'content-type': 'application/json' }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(content && { 'content-type': content.type, 'content-length': String(content.bytes) }),
    ...call.headers,
  }
  try {
    return await io.http.request(url, {
      method,
      headers,
      signal: io.signal,
      ...(body !== undefined && { body }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
  } catch (error) {
    throw unanswered(platform, error, call.effect)
  }
}

/** Classifies a call without a response. @throws any error that is not the HTTP client's */
export function unanswered(platform: PlatformKey, error: unknown, effect: Effect | undefined): PlatformError {
  if (!(error instanceof HttpFailure)) throw error
  return new PlatformError(kindOf(error, effect), unansweredText(PLATFORM_NAMES[platform], error), { cause: error })
}

/** Why a call has no response, worded for the user. */
function unansweredText(name: string, { kind, message }: HttpFailure): string {
  switch (kind) {
    case 'unreachable':
      return `${name} could not be reached.`
    case 'timeout':
      return `${name} did not respond in time.`
    case 'reset':
      return `The connection to ${name} was lost before its response was complete.`
    case 'too-large':
      return `${name} sent a response that is too large to read.`
    case 'malformed':
      return `${unreadableText(name)}.`
    case 'blocked':
    case 'bad-url':
      return `${name} cannot be called: ${message}.`
    case 'aborted':
      return `The call to ${name} was aborted: ${message}.`
  }
}

/** Without a period, for use within a longer message. */
export function unreadableText(name: string): string {
  return `${name} sent a response that could not be read`
}

function kindOf({ kind, mayHaveArrived }: HttpFailure, effect: Effect | undefined): PlatformErrorKind {
  if (effect === 'visible' && mayHaveArrived) return 'ambiguous'
  return kind === 'blocked' || kind === 'bad-url' ? 'permanent' : 'retryable'
}

/** Error kind of a call that failed on the platform's side or whose response is unreadable: it may have taken effect. */
export function lost(effect: Effect | undefined): PlatformErrorKind {
  return effect === 'visible' ? 'ambiguous' : 'retryable'
}

/**
 * The validated body of a successful response.
 *
 * @throws PlatformError when it does not match the schema
 */
export function bodyOf<T>(platform: PlatformKey, call: RestCall, response: HttpResponse, schema: z.ZodType<T>): T {
  const result = schema.safeParse(jsonOf(response))
  if (result.success) return result.data
  const message = `${unreadableText(PLATFORM_NAMES[platform])} (HTTP ${response.status}).`
  throw new PlatformError(lost(call.effect), message, { cause: result.error })
}

/** The body as JSON; undefined if it is not JSON, such as a proxy's error page. */
export function jsonOf(response: HttpResponse): unknown {
  try {
    return response.json()
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}

/** The title of a page, such as a proxy's error page; empty if there is none. */
export function pageTitle(response: HttpResponse): string {
  return quoted(/<title>([^<]*)<\/title>/i.exec(response.text())?.[1] ?? '')
}

/** A status and the platform's own words, for use in parentheses: `HTTP 403, No such page`. */
export function heard(status: number, ...words: readonly string[]): string {
  const said = words.map((each) => quoted(each).replace(/\.$/, ''))
  return [`HTTP ${status}`, ...said].filter((each) => each !== '').join(', ')
}

/** A platform's own words, fit for display: one line, at most 300 characters. */
export function quoted(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
}
