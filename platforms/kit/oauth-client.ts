import * as z from 'zod'
import { PLATFORM_NAMES, type PlatformKey } from '../../domain/core/platform.ts'
import type { HttpResponse } from '../../infra/http/http.ts'
import type { AuthorizationCode, CodeGrant, OAuthApp } from './authorization.ts'
import { expiryOf, withToken, type TokenRenewal } from './oauth-token.ts'
import { mustGrant, scopesField } from './permissions.ts'
import {
  PlatformError,
  type Credentials,
  type Permissions,
  type Platform,
  type PlatformErrorKind,
  type PlatformIo,
} from './platform.ts'
import { bodyOf, heard, jsonOf, send, type RestCall, type RestIo } from './rest.ts'
import { retryAfterMs } from './retry-after.ts'

export type GrantType = 'authorization_code' | 'refresh_token'

/** The page on which the account's owner grants access. */
export interface ConsentPage {
  readonly url: string
  readonly separator: ' ' | ','
  /** Default `client_id`. */
  readonly idField?: 'client_key'
  /** Further parameters. */
  readonly extra?: Readonly<Record<string, string>>
  /** Whether the platform supports PKCE (RFC 7636). */
  readonly pkce?: true
}

/** A successful answer (RFC 6749 §5.1); platforms extend it. */
export const tokenAnswer = z.object({
  access_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.number().positive(),
  scope: z.string().optional().catch(undefined),
  refresh_token: z.string().min(1).optional(),
})
interface TokenAnswer {
  readonly access_token: string
  readonly expires_in?: number | undefined
  readonly scope?: string | undefined
  readonly refresh_token?: string | undefined
  /** Seconds. */
  readonly refresh_token_expires_in?: number | undefined
}

/** What a refusal means. The message also quotes the platform, and `needs-reauth` asks to connect the account again. */
export interface Meaning {
  readonly kind: PlatformErrorKind
  readonly text: string
}

/** By `error` (RFC 6749 §5.2), otherwise by HTTP status. */
export type Meanings = Readonly<Record<string, Meaning>>

/** How a platform grants access: OAuth 2.0 (RFC 6749) with its own names, scopes and refusals. */
export interface OAuthServer {
  readonly platform: PlatformKey
  /** Who grants access, for messages. Default: the platform's name. */
  readonly name?: string
  readonly consent: ConsentPage
  readonly tokenUrl: string
  /** Where a token is revoked (RFC 7009), which one, and whether the app authenticates. Absent: nowhere. */
  readonly revocation?: {
    readonly url: string
    readonly token: 'accessToken' | 'refreshToken'
    readonly withApp: boolean
  }
  /** Whether the app must have a secret. */
  readonly needsSecret: boolean
  /** Adds the app to a token request: `inForm`, `inHeader` or the platform's own way. */
  readonly authenticate: (app: OAuthApp) => Pick<RestCall, 'form' | 'headers'>
  /** Further parameters when a code is exchanged. */
  readonly withCode?: Readonly<Record<string, string>>
  /** Default: `tokenAnswer`. */
  readonly answer?: z.ZodType<TokenAnswer>
  /** By capability. Without those for publishing a code is useless. */
  readonly permissions: Permissions
  /** Scopes that contain others. */
  readonly contains?: Readonly<Record<string, readonly string[]>>
  /** Any other requirement on what is granted. @throws PlatformError */
  readonly check?: (tokens: Credentials, granted: readonly string[] | undefined, grantType: GrantType) => void
  readonly refusals: Readonly<Record<GrantType, Meanings>>
  /** A refusal that has no entry. Default: by HTTP status. */
  readonly otherRefusal?: (response: HttpResponse, io: RestIo) => PlatformError
  /** Whether a refusal may come with status 200. */
  readonly refusesWith200?: true
  /** How long (ms) before it expires an access token is renewed. */
  readonly renewAheadMs: number
  /** Whether a call was refused, without effect, because the access token has expired. */
  readonly isExpired: (error: unknown) => boolean
}

/** The app as form fields (RFC 6749 §2.3.1). */
export function inForm({ clientId, clientSecret = '' }: OAuthApp): Required<Pick<RestCall, 'form'>> {
  return { form: { client_id: clientId, client_secret: clientSecret } }
}

/** HTTP Basic authentication (RFC 6749 §2.3.1 wants both URL-encoded first, which not every platform expects). */
export function inHeader(id: string, secret: string): Pick<RestCall, 'headers'> {
  return { headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` } }
}

export interface OAuthClient {
  readonly authorization: AuthorizationCode
  /** @param baseUrl a host other than the platform's own, without a trailing slash */
  readonly renewalAt: (baseUrl: string | undefined) => TokenRenewal
  /** Does nothing if the platform has no revocation. */
  readonly revoke: NonNullable<Platform['revoke']>
}

/** The common flow: consent, the exchange of the code, and the renewal of tokens. */
export function oauthClient(server: OAuthServer): OAuthClient {
  const { consent, needsSecret, withCode } = server
  const renewalAt: OAuthClient['renewalAt'] = (baseUrl) => ({
    aheadMs: server.renewAheadMs,
    isExpired: server.isExpired,
    refresh: async (stale, io) => {
      mustBeRenewable(server, stale)
      const { expiresAt: _, refreshExpiresAt: __, ...kept } = stale
      const { refreshToken = '', clientId = '', clientSecret } = stale
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken } as const
      return { ...kept, ...(await requestTokens(server, { clientId, clientSecret }, form, baseUrl, io)) }
    },
  })
  return {
    authorization: {
      needsSecret,
      consentUrl: consentUrl(consent),
      exchange: async (app, grant, baseUrl, io) => {
        const proof = consent.pkce && { code_verifier: grant.verifier }
        const tokens = await requestTokens(server, app, { ...codeForm(grant), ...proof, ...withCode }, baseUrl, io)
        // Only the same app can renew them.
        return { ...(tokens['refreshToken'] !== undefined && appCredentials(app)), ...tokens }
      },
    },
    renewalAt,
    revoke: async ({ baseUrl }, io) => {
      const { revocation } = server
      if (!revocation) return
      const { refreshToken } = await io.credentials.read()
      if (revocation.token === 'refreshToken' && refreshToken !== undefined) {
        return revokeToken(server, revocation, refreshToken, baseUrl, io)
      }
      await withToken(io, renewalAt(baseUrl), (token) => revokeToken(server, revocation, token, baseUrl, io))
    },
  }
}

/** @throws PlatformError */
async function revokeToken(
  server: OAuthServer,
  { url, withApp }: NonNullable<OAuthServer['revocation']>,
  token: string,
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<void> {
  const { clientId = '', clientSecret } = await io.credentials.read()
  const shown = withApp ? server.authenticate({ clientId, clientSecret }) : {}
  const call: RestCall = { ...shown, method: 'POST', url: at(url, baseUrl), form: { token, ...shown.form } }
  const response = await send(server.platform, call, io)
  if (response.status < 200 || response.status >= 300 || errorIn(response).error !== '') {
    throw refusal(server, 'refresh_token', response, io)
  }
}

export function consentUrl(page: ConsentPage): AuthorizationCode['consentUrl'] {
  const { separator, idField = 'client_id', extra, pkce } = page
  return ({ clientId }, { scopes, redirectUri, state, challenge }, baseUrl) => {
    const query = new URLSearchParams({
      response_type: 'code',
      [idField]: clientId,
      redirect_uri: redirectUri,
      ...(scopes.length > 0 && { scope: scopes.join(separator) }),
      state,
      ...(pkce && { code_challenge: challenge, code_challenge_method: 'S256' }),
      ...extra,
    })
    return `${at(page.url, baseUrl)}?${query.toString()}`
  }
}

export function codeForm({ code, redirectUri }: CodeGrant): TokenForm {
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
}

function mustBeRenewable({ needsSecret, ...server }: OAuthServer, stale: Credentials): void {
  const secret = needsSecret && { clientSecret: 'client secret' }
  const words = { refreshToken: 'refresh token', clientId: 'client id', ...secret }
  const missing = Object.entries(words).find(([field]) => !stale[field])
  if (!missing) return
  const needs = needsSecret ? 'refreshToken, clientId and clientSecret' : 'refreshToken and clientId'
  const over = `The ${nameOf(server)} access token has expired, and renewing it requires ${needs}`
  throw new PlatformError('needs-reauth', `${over}: there is no ${missing[1]}. Connect the account again.`)
}

type TokenForm = Readonly<Record<string, string>> & { readonly grant_type: GrantType }

/** @throws PlatformError */
async function requestTokens(
  server: OAuthServer,
  app: OAuthApp,
  form: TokenForm,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<Credentials> {
  const { platform, permissions, contains = {} } = server
  const schema: z.ZodType<TokenAnswer> = server.answer ?? tokenAnswer
  const shown = server.authenticate(app)
  const call: RestCall = {
    ...shown,
    method: 'POST',
    url: at(server.tokenUrl, baseUrl),
    form: { ...form, ...shown.form },
  }
  const response = await send(platform, call, io)
  const isOk = response.status >= 200 && response.status < 300
  if (!isOk || (server.refusesWith200 && errorIn(response).error !== '')) {
    throw refusal(server, form.grant_type, response, io)
  }
  const answer = bodyOf(platform, call, response, schema)
  const listed = answer.scope?.split(/[\s,]+/).filter((scope) => scope !== '')
  const granted = listed?.flatMap((scope) => [scope, ...(contains[scope] ?? [])])
  if (form.grant_type === 'authorization_code') mustGrant(nameOf(server), permissions.publishing ?? [], granted)
  const tokens = { ...tokensIn(answer, io.clock.now()), ...scopesField(granted) }
  server.check?.(tokens, granted, form.grant_type)
  return tokens
}

function tokensIn(answer: TokenAnswer, now: number): Credentials {
  const { access_token, expires_in, refresh_token, refresh_token_expires_in } = answer
  return {
    accessToken: access_token,
    ...(expires_in !== undefined && { expiresAt: expiryOf(expires_in, now) }),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(refresh_token_expires_in !== undefined && { refreshExpiresAt: expiryOf(refresh_token_expires_in, now) }),
  }
}

function refusal(server: OAuthServer, grantType: GrantType, response: HttpResponse, io: RestIo): PlatformError {
  const { status, headers } = response
  const { error, description } = errorIn(response)
  const known = new Map(Object.entries(server.refusals[grantType]))
  const meaning = known.get(error) ?? known.get(String(status))
  if (!meaning && server.otherRefusal) return server.otherRefusal(response, io)
  const { kind, text } = meaning ?? byStatus(status, nameOf(server))
  const said = heard(status, `${error} ${description}`)
  const message = kind === 'needs-reauth' ? `${text}: ${said}. Connect the account again.` : `${text} (${said}).`
  return new PlatformError(kind, message, { retryAfterMs: retryAfterMs(headers['retry-after'], io.clock.now()) })
}

function byStatus(status: number, name: string): Meaning {
  const isPassing = status === 408 || status === 429 || status >= 500
  return isPassing
    ? { kind: 'retryable', text: `${name} could not grant access` }
    : { kind: 'permanent', text: `${name} did not grant access` }
}

const text = z.string().catch('')
const errorAnswer = z.object({ error: text, error_description: text, message: text })

function errorIn(response: HttpResponse): { readonly error: string; readonly description: string } {
  const { error = '', error_description = '', message = '' } = errorAnswer.safeParse(jsonOf(response)).data ?? {}
  return { error, description: error_description || message }
}

function nameOf({ platform, name }: Pick<OAuthServer, 'platform' | 'name'>): string {
  return name ?? PLATFORM_NAMES[platform]
}

/** The address of a page or endpoint, on another host if there is a base URL. */
function at(url: string, baseUrl: string | undefined): string {
  return baseUrl === undefined ? url : baseUrl + new URL(url).pathname
}

/** The app as credential fields. */
function appCredentials({ clientId, clientSecret }: OAuthApp): Credentials {
  return { clientId, ...(clientSecret !== undefined && { clientSecret }) }
}
