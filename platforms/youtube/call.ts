import type { z } from 'zod'
import { bodyOf, send, type RestCall, type RestIo } from '../rest.ts'
import { refused } from './errors.ts'

/**
 * Asks the Data API for something that it lists.
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
