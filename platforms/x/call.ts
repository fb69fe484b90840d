import { z } from 'zod'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { withToken } from '../kit/oauth-token.ts'
import { refused, XError } from './errors.ts'
import { hostOf } from './host.ts'
import { renewal } from './token.ts'

export type XCall = Omit<RestCall, 'url' | 'token' | 'headers'> & {
  /** Begins with `/2`. */
  readonly path: string
}

/** An id of X. It has up to 19 digits, too many for a number. */
export const idSchema = z.string().regex(/^\d{1,19}$/)

/**
 * Makes a call with a given token.
 *
 * @returns the body of a 2xx answer, checked
 * @throws PlatformError, an XError for whatever X refused
 */
export async function callWith<T>(
  token: string,
  baseUrl: string | undefined,
  { path, ...given }: XCall,
  answer: z.ZodType<T>,
  io: RestIo,
): Promise<T> {
  const call: RestCall = { ...given, url: hostOf(baseUrl) + path, token }
  const response = await send('x', call, io)
  if (response.status < 200 || response.status > 299) throw refused(response, call.effect, io.clock)
  return bodyOf('x', call, response, answer)
}

/** As `callWith`, with the account's own token, which is renewed as needed. */
export function callAs<T>(account: PlatformAccount, call: XCall, answer: z.ZodType<T>, io: PlatformIo): Promise<T> {
  return withToken(io, renewal(account.baseUrl), (token) => callWith(token, account.baseUrl, call, answer, io))
}

/** The names of what X renamed in August 2026; nobody says from when on its servers take which. */
export interface Names {
  readonly postFields: 'tweet.fields' | 'post.fields'
}
const OLD: Names = { postFields: 'tweet.fields' }
const NEW: Names = { postFields: 'post.fields' }

/** Asks by the old names, and once more by the new ones when X does not know an old one. */
export async function byEitherName<T>(ask: (names: Names) => Promise<T>): Promise<T> {
  try {
    return await ask(OLD)
  } catch (error) {
    const unknownName =
      error instanceof XError &&
      error.refusal === 'bad-request' &&
      Object.values<string>({ ...OLD }).some((name) => error.said.includes(name))
    if (!unknownName) throw error
    return ask(NEW)
  }
}

/** Repeats a call that is harmless to repeat, once, when it failed and was not held back by a limit. */
export async function twiceAtMost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const passing = error instanceof PlatformError && error.kind === 'retryable' && !error.accountRests
    if (!passing) throw error
    return work()
  }
}
