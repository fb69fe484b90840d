import * as z from 'zod'
import { storedCredentials } from '../kit/credentials.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { hostOf } from './server.ts'

export type Call = Omit<RestCall, 'url' | 'token'> & { readonly path: string }

/**
 * Calls a server.
 *
 * @param token absent: as anyone may
 * @returns the validated body of a 2xx answer
 * @throws PlatformError, a PlatformRefusal for anything that the server refused
 */
export async function callWith<T>(
  token: string | undefined,
  baseUrl: string | undefined,
  { path, ...given }: Call,
  answer: z.ZodType<T>,
  io: RestIo,
): Promise<T> {
  const call: RestCall = { ...given, url: hostOf(baseUrl) + path, ...(token !== undefined && { token }) }
  const response = await send('mastodon', call, io)
  if (response.status < 200 || response.status > 299) throw refused(response, call.effect, io.clock)
  return bodyOf('mastodon', call, response, answer)
}

const stored = z.object({ accessToken: z.string().min(1) })

/** Like `callWith`, with the account's own token, which never expires. */
export async function callAs<T>(
  { baseUrl }: Pick<PlatformAccount, 'baseUrl'>,
  call: Call,
  answer: z.ZodType<T>,
  io: PlatformIo,
): Promise<T> {
  const { accessToken } = storedCredentials(stored, await io.credentials.read(), 'mastodon')
  return callWith(accessToken, baseUrl, call, answer, io)
}
