import * as z from 'zod'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError } from '../kit/platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { faultIn } from './fault.ts'

/**
 * Makes one of the calls from the code to the token that is stored.
 *
 * @param secret redacted from messages
 * @throws PlatformError
 */
export async function loginAnswer<T>(
  platform: PlatformKey,
  call: RestCall,
  secret: string,
  answer: z.ZodType<T>,
  io: RestIo,
): Promise<T> {
  const response = await send(platform, call, io)
  const { status } = response
  if (status >= 200 && status <= 299) return bodyOf(platform, call, response, answer)
  const kind = status === 429 || status >= 500 ? 'retryable' : 'permanent'
  throw new PlatformError(kind, `${PLATFORM_NAMES[platform]} did not grant access: ${saidIn(response, secret)}.`)
}

const refusedCode = z.object({ error_message: z.string() })

/** The code endpoint has its own error format. */
function saidIn(response: HttpResponse, secret: string): string {
  const refused = refusedCode.safeParse(jsonOf(response))
  const fault = faultIn(response)
  const said = refused.success ? refused.data.error_message : (fault?.userMessage ?? fault?.message ?? '')
  return quoted(said.replaceAll(secret, '…')).replace(/\.$/, '') || `it returned HTTP ${response.status}`
}
