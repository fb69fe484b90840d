import type * as z from 'zod'
import { withToken } from '../kit/oauth-token.ts'
import type { PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { hostsOf, type Hosts } from './hosts.ts'
import { oauth } from './oauth.ts'

export type Call = Omit<RestCall, 'token'>

export interface Api {
  readonly hosts: Hosts
  /** Makes a call with the account's token. @throws PlatformError */
  call<T>(call: Call, answer: z.ZodType<T>): Promise<T>
}

/** @param baseUrl replaces Google's hosts; no trailing slash */
export function googleApi(baseUrl: string | undefined, io: PlatformIo): Api {
  const hosts = hostsOf(baseUrl)
  const renewal = oauth.renewalAt(baseUrl)
  return {
    hosts,
    call: (call, answer) =>
      withToken(io, renewal, async (token) => {
        const response = await send('googlebusiness', { ...call, token }, io)
        if (response.status !== 200) throw refused(response, call.effect, io.clock)
        return bodyOf('googlebusiness', call, response, answer)
      }),
  }
}
