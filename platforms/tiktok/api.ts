import * as z from 'zod'
import { withToken } from '../kit/oauth-token.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type Effect, type RestCall } from '../kit/rest.ts'
import { errorIn, refused } from './errors.ts'
import { apiAt } from './host.ts'
import { withLongIds } from './lossless-json.ts'
import { renewalAt } from './oauth.ts'

interface Call {
  readonly method?: RestCall['method']
  /** With a trailing slash. */
  readonly path: string
  readonly json?: object
  readonly effect?: Effect
}

/** Makes a call with the account's token. @returns the `data` of the answer @throws PlatformError */
export type Api = <T>(call: Call, data: z.ZodType<T>) => Promise<T>

export function tiktokApi({ baseUrl }: Pick<PlatformAccount, 'baseUrl'>, io: PlatformIo): Api {
  const renewal = renewalAt(baseUrl)
  return ({ method = 'POST', path, json, effect = 'hidden' }, data) =>
    withToken(io, renewal, async (token) => {
      const call: RestCall = {
        method,
        url: apiAt(baseUrl) + path,
        token,
        effect,
        ...(json && { json, headers: { 'content-type': 'application/json; charset=UTF-8' } }),
      }
      const response = withLongIds(await send('tiktok', call, io))
      // The status alone is not enough: some refusals come with a 200.
      const isOk = response.status >= 200 && response.status < 300 && errorIn(response)?.code === 'ok'
      if (!isOk) throw refused(response, effect, io.clock)
      return bodyOf('tiktok', call, response, z.object({ data })).data
    })
}
