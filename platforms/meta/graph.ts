import { createHmac } from 'node:crypto'
import type * as z from 'zod'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { versionOf } from '../kit/api-version.ts'
import { bodyOf, send, type Effect, type RestCall, type RestIo } from '../kit/rest.ts'
import type { GraphErrors } from './errors.ts'

const TIMEOUT_MS = 10_000

/** Host and identity for calls to a Meta API. */
export interface Session {
  /** Without version and trailing slash. */
  readonly host: string
  readonly token: string
  /** Secret of the Meta app, if it requires proof of it. */
  readonly appSecret?: string | undefined
}

export interface GraphCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Relative to the version. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  /** Default `hidden`. */
  readonly effect?: Effect
  /** Default 10 s. */
  readonly timeoutMs?: number
}

export interface GraphCalls {
  /**
   * Makes one call and decodes the response.
   *
   * @throws PlatformRefusal, or PlatformError when there is no readable response
   */
  readonly graph: <T>(session: Session, call: GraphCall, answer: z.ZodType<T>, io: RestIo) => Promise<T>
  /**
   * Calls a complete URL: a token endpoint, which has no version, or a URL from Meta.
   *
   * @param token redacted from messages
   * @throws as `graph`
   */
  readonly answered: <T>(call: RestCall, token: string, answer: z.ZodType<T>, io: RestIo) => Promise<T>
}

export function graphCalls(
  platform: PlatformKey,
  tried: string,
  { refused }: Pick<GraphErrors<never>, 'refused'>,
): GraphCalls {
  const answered: GraphCalls['answered'] = async (call, token, answer, io) => {
    const response = await send(platform, call, io)
    if (response.status < 200 || response.status > 299) throw refused(response, call.effect, io.clock, token)
    return bodyOf(platform, call, response, answer)
  }
  return {
    answered,
    graph: ({ host, token, appSecret }, call, answer, io) => {
      const { method, path, query, form, effect, timeoutMs = TIMEOUT_MS } = call
      const proof = appSecret === undefined ? {} : { appsecret_proof: proofOf(token, appSecret) }
      const url = withQuery(`${host}/${versionOf(platform, tried, io)}${path}`, form ? query : { ...query, ...proof })
      const own = { method, url, token, timeoutMs, ...(effect && { effect }) }
      return answered(form ? { ...own, form: { ...form, ...proof } } : own, token, answer, io)
    },
  }
}

export function withQuery(url: string, query: Readonly<Record<string, string>> | undefined): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? url : `${url}?${text}`
}

/** Graph API, "Securing requests": hex HMAC-SHA256 of the token under the app's secret. */
function proofOf(token: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex')
}
