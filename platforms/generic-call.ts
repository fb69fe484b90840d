import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { PlatformKey } from '../domain/platform.ts'
import type { Clock } from '../system/clock.ts'
import { HttpFailure, type Http, type HttpResponse } from './http.ts'
import { PlatformError, type Credentials, type CredentialStore } from './platform.ts'

/** The server of one account, and what one piece of work may use of it. */
export interface Server {
  readonly platform: PlatformKey
  readonly baseUrl: string
  readonly http: Http
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Sent as JSON. */
  readonly json?: object
  /** Sent as it is. Made anew for each sending. */
  readonly content?: { readonly type: string; readonly bytes: number; readonly open: () => Readable }
  /** Milliseconds. Default: that of `Http`. */
  readonly timeoutMs?: number
  /** True when others see what it does: it is never repeated blindly, and a lost answer is `ambiguous`. */
  readonly visible?: boolean
}

const refreshAnswer = z.object({ accessToken: z.string().min(1), refreshToken: z.string().min(1).optional() })
const errorAnswer = z.object({ error: z.object({ message: z.string() }) })

/**
 * Makes a call with the account's access token, renewing it once when the server says 401. A 401 has done nothing, so
 * that the repeat is safe for visible calls too.
 *
 * @returns the body of a 2xx answer, checked
 * @throws PlatformError
 */
export async function callAs<T>(
  server: Server,
  credentials: CredentialStore,
  call: Call,
  answer: z.ZodType<T>,
): Promise<T> {
  const current = await credentials.read()
  const first = await send(server, call, current['accessToken'])
  if (first.status !== 401) return read(server, call, first, answer)
  const renewed = await credentials.renew(current, (stale) => refreshed(server, stale))
  return read(server, call, await send(server, call, renewed['accessToken']), answer)
}

/** As `callAs`, with credentials that no store holds yet. @returns the ones that worked in the end beside the answer */
export async function callWith<T>(
  server: Server,
  given: Credentials,
  call: Call,
  answer: z.ZodType<T>,
): Promise<{ answer: T; credentials: Credentials }> {
  let credentials = given
  const store: CredentialStore = {
    read: async () => credentials,
    renew: async (stale, renew) => (credentials = await renew(stale)),
  }
  return { answer: await callAs(server, store, call, answer), credentials }
}

async function refreshed(server: Server, stale: Credentials): Promise<Credentials> {
  const refreshToken = stale['refreshToken']
  const reconnect = `${server.platform} no longer accepts this account's access: connect it again`
  if (refreshToken === undefined) throw new PlatformError('needs-reauth', reconnect)
  const call: Call = { method: 'POST', path: '/token/refresh', json: { refreshToken } }
  const response = await send(server, call)
  if ([400, 401, 403].includes(response.status)) throw new PlatformError('needs-reauth', reconnect)
  const fresh = read(server, call, response, refreshAnswer)
  return { ...stale, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? refreshToken }
}

async function send(server: Server, call: Call, accessToken?: string): Promise<HttpResponse> {
  const { method, path, json, content, timeoutMs, visible = false } = call
  const headers = {
    accept: 'application/json',
    ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    ...(json && { 'content-type': 'application/json' }),
    ...(content && { 'content-type': content.type, 'content-length': String(content.bytes) }),
  }
  const body = json ? JSON.stringify(json) : content?.open()
  try {
    return await server.http.request(server.baseUrl + path, {
      method,
      headers,
      signal: server.signal,
      ...(body !== undefined && { body }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    throw new PlatformError(kindOfFailure(error, visible), `${server.platform}: ${error.message}`, { cause: error })
  }
}

function kindOfFailure({ kind, mayHaveArrived }: HttpFailure, visible: boolean): PlatformError['kind'] {
  if (visible && mayHaveArrived) return 'ambiguous'
  return kind === 'blocked' || kind === 'bad-url' ? 'permanent' : 'retryable'
}

function read<T>(server: Server, call: Call, response: HttpResponse, answer: z.ZodType<T>): T {
  const { status } = response
  const lost = call.visible ? 'ambiguous' : 'retryable'
  if (status >= 200 && status < 300) {
    const result = answer.safeParse(jsonOf(response))
    if (result.success) return result.data
    throw new PlatformError(lost, `${server.platform} answered ${status} with a body that can't be read`)
  }
  const message = `${server.platform} answered ${status}${messageOf(response)}`
  const wait = retryAfterMs(response.headers['retry-after'], server.clock)
  const options = wait === undefined ? {} : { retryAfterMs: wait }
  if (status === 401) throw new PlatformError('needs-reauth', message)
  if (status === 429) throw new PlatformError('retryable', message, options)
  // 408 is an intermediary's or the server's own time-out: it does not tell how far the request got.
  if (status === 408 || status >= 500) throw new PlatformError(lost, message, options)
  throw new PlatformError('permanent', message)
}

function jsonOf(response: HttpResponse): unknown {
  try {
    return response.json()
  } catch (error) {
    if (error instanceof HttpFailure) return undefined
    throw error
  }
}

function messageOf(response: HttpResponse): string {
  const result = errorAnswer.safeParse(jsonOf(response))
  return result.success ? `: ${result.data.error.message.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300)}` : ''
}

/** `Retry-After` in either of its forms: seconds, or a date (RFC 9110 §10.2.3). */
function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now())
}
