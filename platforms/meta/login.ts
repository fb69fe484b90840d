import { z } from 'zod'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { CodeGrant, ConsentRequest, OAuthApp } from '../kit/authorization.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import { PlatformError } from '../kit/platform.ts'
import { bodyOf, jsonOf, quoted, send, type RestCall, type RestIo } from '../kit/rest.ts'
import { faultIn } from './fault.ts'
import { withQuery } from './graph.ts'

/** The Meta platform through which an owner grants access. */
export interface MetaLogin {
  readonly platform: PlatformKey
  /** The platform's display name. */
  readonly name: string
}

/** URL of the consent page. */
export function consentUrl(
  page: string,
  scopes: readonly string[],
  { clientId }: OAuthApp,
  { redirectUri, state }: Omit<ConsentRequest, 'challenge'>,
): string {
  const scope = scopes.join(',')
  return withQuery(page, { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope, state })
}

/** Parameters of the code exchange. */
export function shownFor(
  { code, redirectUri }: CodeGrant,
  { clientId, clientSecret = '' }: OAuthApp,
): Readonly<Record<string, string>> {
  return { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUri, code }
}

/** Exchanges a code for a short-lived user token. @throws PlatformError */
export function answerToCode<T>(
  login: MetaLogin,
  url: string,
  app: OAuthApp,
  grant: CodeGrant,
  answer: z.ZodType<T>,
  io: RestIo,
): Promise<T> {
  const form = { grant_type: 'authorization_code', ...shownFor(grant, app) }
  return loginAnswer(login, { method: 'POST', url, form }, grant.code, answer, io)
}

/**
 * Makes one of the calls from the code to the token that is stored.
 *
 * @param secret redacted from messages
 * @throws PlatformError
 */
export async function loginAnswer<T>(
  { platform, name }: MetaLogin,
  call: RestCall,
  secret: string,
  answer: z.ZodType<T>,
  io: RestIo,
): Promise<T> {
  const response = await send(platform, call, io)
  const { status } = response
  if (status >= 200 && status <= 299) return bodyOf(platform, call, response, answer)
  const kind = status === 429 || status >= 500 ? 'retryable' : 'permanent'
  throw new PlatformError(kind, `${name} did not grant access: ${saidIn(response, secret)}.`)
}

const refusedCode = z.object({ error_message: z.string() })

/** The code endpoint has its own error format. */
function saidIn(response: HttpResponse, secret: string): string {
  const refused = refusedCode.safeParse(jsonOf(response))
  const fault = faultIn(response)
  const said = refused.success ? refused.data.error_message : (fault?.userMessage ?? fault?.message ?? '')
  return quoted(said.replaceAll(secret, '…')).replace(/\.$/, '') || `it returned HTTP ${response.status}`
}

/** @throws PlatformError `permanent`, naming the missing scopes */
export function mustGrant(needed: readonly string[], granted: readonly string[], { name }: MetaLogin): void {
  const missing = needed.filter((scope) => !granted.includes(scope))
  if (missing.length === 0) return
  throw new PlatformError(
    'permanent',
    `${name} did not grant ${missing.join(', ')}. Start again and allow all permissions.`,
  )
}
