import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import { HttpFailure, type HttpRequest, type HttpResponse } from '../../infra/http/http.ts'
import { PlatformError, type PlatformErrorKind, type PlatformIo } from './platform.ts'

/** Whether others see what a call does: one that they see is `ambiguous` when its answer is lost, and never repeated. */
export type Effect = 'hidden' | 'visible'

/** A call of a platform's HTTP API. At most one of `json`, `form` and `content`. */
export interface RestCall {
  readonly method: NonNullable<HttpRequest['method']>
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
  readonly json?: object
  readonly form?: Readonly<Record<string, string>>
  /** Sent as it is. Made anew for each sending. */
  readonly content?: { readonly type: string; readonly bytes: number; readonly open: () => Readable }
  /** Milliseconds. Default: that of `Http`. */
  readonly timeoutMs?: number
  /** Default `hidden`. */
  readonly effect?: Effect
}

export type RestIo = Pick<PlatformIo, 'http' | 'clock' | 'signal'>

/** Milliseconds that an upload may take: half a minute, and then what 100 kB a second needs. */
export function uploadTimeoutMs(bytes: number): number {
  return 30_000 + Math.ceil(bytes / 100)
}

/**
 * Sends a call. Whatever status the answer has is the caller's to judge.
 *
 * @throws PlatformError when there is no answer
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
    if (!(error instanceof HttpFailure)) throw error
    throw new PlatformError(kindOf(error, call.effect), unansweredText(PLATFORM_NAMES[platform], error), {
      cause: error,
    })
  }
}

/** Why a call has no answer, in words for its user. */
export function unansweredText(name: string, { kind, message }: HttpFailure): string {
  switch (kind) {
    case 'unreachable':
      return `${name} could not be reached.`
    case 'timeout':
      return `${name} did not answer in time.`
    case 'reset':
      return `The connection to ${name} broke before its answer was complete.`
    case 'too-large':
      return `${name} sent an answer that is too large to be read.`
    case 'malformed':
      return `${unreadableText(name)}.`
    case 'blocked':
    case 'bad-url':
      return `${name} cannot be called: ${message}.`
    case 'aborted':
      return `The call to ${name} was cut short: ${message}.`
  }
}

/** Without its full stop, for what is told beside it. */
export function unreadableText(name: string): string {
  return `${name} sent an answer that could not be read`
}

function kindOf({ kind, mayHaveArrived }: HttpFailure, effect: Effect | undefined): PlatformErrorKind {
  if (effect === 'visible' && mayHaveArrived) return 'ambiguous'
  return kind === 'blocked' || kind === 'bad-url' ? 'permanent' : 'retryable'
}

/** What a call is that failed on the platform's side, or whose answer can't be read: it may have taken effect. */
export function lost(effect: Effect | undefined): PlatformErrorKind {
  return effect === 'visible' ? 'ambiguous' : 'retryable'
}

/**
 * The body of an answer that means success, checked.
 *
 * @throws PlatformError when it is something else than the schema has
 */
export function bodyOf<T>(platform: PlatformKey, call: RestCall, response: HttpResponse, schema: z.ZodType<T>): T {
  const result = schema.safeParse(jsonOf(response))
  if (result.success) return result.data
  const message = `${unreadableText(PLATFORM_NAMES[platform])} (HTTP ${response.status}).`
  throw new PlatformError(lost(call.effect), message, { cause: result.error })
}

/** The body as JSON; undefined when it is none, as what a proxy in between answers. */
export function jsonOf(response: HttpResponse): unknown {
  try {
    return response.json()
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}

/** A status and a platform's own words for it, to stand in brackets: `HTTP 403, No such page`. */
export function heard(status: number, ...words: readonly string[]): string {
  const said = words.map((each) => quoted(each).replace(/\.$/, ''))
  return [`HTTP ${status}`, ...said].filter((each) => each !== '').join(', ')
}

/** A platform's own words, fit to be shown: one line, not too long. */
export function quoted(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
}
