import { z } from 'zod'
import type { PlatformKey } from '../domain/platform.ts'
import type { Clock } from '../system/clock.ts'
import type { Http, HttpResponse } from './http.ts'
import { PlatformError, type Credentials, type CredentialStore } from './platform.ts'
import { bodyOf, jsonOf, lost, quoted, send, type RestCall } from './rest.ts'
import { retryAfterMs } from './retry-after.ts'

/** The server of one account, and what one piece of work may use of it. */
export interface Server {
  readonly platform: PlatformKey
  readonly baseUrl: string
  readonly http: Http
  readonly clock: Clock
  readonly signal: AbortSignal
}

export type Call = Omit<RestCall, 'url' | 'token' | 'headers'> & { readonly path: string }

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
  const first = await answered(server, call, current['accessToken'])
  if (first.status !== 401) return read(server, call, first, answer)
  const renewed = await credentials.renew(current, (stale) => refreshed(server, stale))
  return read(server, call, await answered(server, call, renewed['accessToken']), answer)
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
  const response = await answered(server, call)
  if ([400, 401, 403].includes(response.status)) throw new PlatformError('needs-reauth', reconnect)
  const fresh = read(server, call, response, refreshAnswer)
  return { ...stale, accessToken: fresh.accessToken, refreshToken: fresh.refreshToken ?? refreshToken }
}

function restCall(server: Server, { path, ...call }: Call, accessToken?: string): RestCall {
  return { ...call, url: server.baseUrl + path, ...(accessToken !== undefined && { token: accessToken }) }
}

function answered(server: Server, call: Call, accessToken?: string): Promise<HttpResponse> {
  return send(server.platform, restCall(server, call, accessToken), server)
}

function read<T>(server: Server, call: Call, response: HttpResponse, answer: z.ZodType<T>): T {
  const { status } = response
  if (status >= 200 && status < 300) return bodyOf(server.platform, restCall(server, call), response, answer)
  const message = `${server.platform} answered ${status}${messageOf(response)}`
  const retryAfter = { retryAfterMs: retryAfterMs(response.headers['retry-after'], server.clock.now()) }
  if (status === 401) throw new PlatformError('needs-reauth', message)
  if (status === 429) throw new PlatformError('retryable', message, { ...retryAfter, accountRests: true })
  // 408 is an intermediary's or the server's own time-out: it does not tell how far the request got.
  if (status === 408 || status >= 500) throw new PlatformError(lost(call.effect), message, retryAfter)
  throw new PlatformError('permanent', message)
}

function messageOf(response: HttpResponse): string {
  const result = errorAnswer.safeParse(jsonOf(response))
  return result.success ? `: ${quoted(result.data.error.message)}` : ''
}
