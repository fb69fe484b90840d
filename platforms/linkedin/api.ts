import type { HttpResponse } from '../../infra/http/http.ts'
import { versionOf } from '../kit/api-version.ts'
import type { PlatformIo } from '../kit/platform.ts'
import { send, type RestCall, type RestIo } from '../kit/rest.ts'
import { refused } from './errors.ts'
import { withAccess } from './session.ts'
import { versions } from './version.ts'

const API_HOST = 'https://api.linkedin.com'

export type Call = Omit<RestCall, 'url' | 'token'> & { readonly path: `/rest/${string}` | '/v2/userinfo' | '/v2/me' }

/**
 * Calls the API with the account's token.
 *
 * @param baseUrl replaces LinkedIn's host
 * @returns a 2xx answer
 * @throws PlatformError
 */
export function callAs(baseUrl: string | undefined, { path, ...call }: Call, io: PlatformIo): Promise<HttpResponse> {
  const url = (baseUrl ?? API_HOST) + path
  const versioned = {
    'linkedin-version': versionOf('linkedin', versions.tried, io),
    'x-restli-protocol-version': '2.0.0',
  }
  const headers = { ...(path.startsWith('/rest/') && versioned), ...call.headers }
  return withAccess(baseUrl, io, (token) => answered({ ...call, url, token, headers }, refused, io))
}

/** @throws PlatformError, as classified by `refusal`, unless the answer is 2xx */
export async function answered(call: RestCall, refusal: typeof refused, io: RestIo): Promise<HttpResponse> {
  const response = await send('linkedin', call, io)
  if (response.status >= 200 && response.status < 300) return response
  throw refusal(response, call.effect, io.clock)
}
