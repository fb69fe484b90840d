import type * as z from 'zod'
import { withToken } from '../kit/oauth-token.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './oauth.ts'

/**
 * Calls a list method of the Data API.
 *
 * @param url without a query
 * @throws PlatformError
 */
export async function list<T>(
  url: string,
  query: Readonly<Record<string, string>>,
  token: string,
  answer: z.ZodType<T>,
  io: RestIo,
): Promise<T> {
  const call: RestCall = { method: 'GET', url: `${url}?${new URLSearchParams(query)}`, token }
  const response = await send('youtube', call, io)
  if (response.status !== 200) throw refused(response, call.effect, io.clock)
  return bodyOf('youtube', call, response, answer)
}

/**
 * Like `list`, with the account's own token.
 *
 * @param resource such as `videos`
 * @throws PlatformError
 */
export function listAs<T>(
  { baseUrl }: PlatformAccount,
  resource: string,
  query: Readonly<Record<string, string>>,
  answer: z.ZodType<T>,
  io: PlatformIo,
): Promise<T> {
  const url = `${hostsOf(baseUrl).api}/${resource}`
  return withToken(io, renewalAt(baseUrl), (token) => list(url, query, token, answer, io))
}
