import * as z from 'zod'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { withToken } from '../kit/oauth-token.ts'
import { is, refused } from './errors.ts'
import { hostOf } from './host.ts'
import { renewalAt } from './oauth.ts'

export type XCall = Omit<RestCall, 'url' | 'token' | 'headers'> & {
  /** Begins with `/2`. */
  readonly path: string
}

/** An X id: up to 19 digits, too many for a JS number. */
export const idSchema = z.string().regex(/^\d{1,19}$/)

/**
 * Makes a call with a given token.
 *
 * @returns the validated body of a 2xx answer
 * @throws PlatformError, a PlatformRefusal for anything X refused
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

/** Like `callWith`, with the account's own token, renewed as needed. */
export function callAs<T>(account: PlatformAccount, call: XCall, answer: z.ZodType<T>, io: PlatformIo): Promise<T> {
  return withToken(io, renewalAt(account.baseUrl), (token) => callWith(token, account.baseUrl, call, answer, io))
}

/** Names that X changed in August 2026, without saying when its servers accept which. */
export interface Names {
  readonly postFields: 'tweet.fields' | 'post.fields'
}
const OLD: Names = { postFields: 'tweet.fields' }
const NEW: Names = { postFields: 'post.fields' }

/** Asks with the old names, then with the new ones if X does not know an old one. */
export async function byEitherName<T>(ask: (names: Names) => Promise<T>): Promise<T> {
  try {
    return await ask(OLD)
  } catch (error) {
    const unknownName =
      is(error, 'bad request') && Object.values<string>({ ...OLD }).some((name) => error.said.includes(name))
    if (!unknownName) throw error
    return ask(NEW)
  }
}

/** Retries a repeatable call once on a temporary failure, unless it was rate limited. */
export async function twiceAtMost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const passing = error instanceof PlatformError && error.kind === 'retryable' && !error.accountRests
    if (!passing) throw error
    return work()
  }
}
