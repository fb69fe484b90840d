import type * as z from 'zod'
import { withToken } from '../kit/oauth-token.ts'
import type { PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { oauth } from './oauth.ts'

const HOST = 'https://api.pinterest.com'

export type Call = Omit<RestCall, 'url' | 'token'> & { readonly path: string }

/** Calls API v5 with the account's token. @throws PlatformError */
export type Api = <T>(call: Call, answer: z.ZodType<T>) => Promise<T>

/** @param baseUrl replaces Pinterest's host; no trailing slash */
export function pinterestApi(baseUrl: string | undefined, io: PlatformIo): Api {
  const url = `${baseUrl ?? HOST}/v5`
  const renewal = oauth.renewalAt(baseUrl)
  return ({ path, ...rest }, answer) =>
    withToken(io, renewal, async (token) => {
      const call: RestCall = { ...rest, url: url + path, token }
      const response = await send('pinterest', call, io)
      const { status } = response
      if (status < 200 || status > 299) throw refused(response, call.effect, io.clock)
      return bodyOf('pinterest', call, response, answer)
    })
}
