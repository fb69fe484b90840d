import { createPrivateKey, hkdfSync } from 'node:crypto'
import { errors, interactionPolicy, Provider, type ClientMetadata, type Configuration, type JWK } from 'oidc-provider'
import { SCOPES } from '../../domain/core/scope.ts'
import { httpFetch } from '../../infra/http/http-fetch.ts'
import type { Http } from '../../infra/http/http.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { html, pageOf } from '../http/page.ts'
import type { GrantDeps } from './grants.ts'
import { resourceOf, scopesIn, USUAL_SCOPES } from './issuer.ts'
import { oauthStorage } from './storage.ts'

export interface ProviderDeps extends GrantDeps {
  readonly http: Http
  readonly logger: Logger
  readonly secret: Buffer
}

export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
}
/** The dashboard's page that asks a person, without the id of the request. */
export const CONSENT_PAGE = '/authorize/'
/** Everybody's account: who consents is known by the session of the dashboard, and recorded with the key. */
export const ACCOUNT = 'fanfare'

const MINUTE_S = 60
const DAY_S = 24 * 3_600
/** How long a person has to decide, how long an access token lasts, and how long an app may stay away. */
const [ASKED_S, ACCESS_S, AWAY_S] = [10 * MINUTE_S, 60 * MINUTE_S, 60 * DAY_S]
/** Then the person is asked again. */
const GRANT_S = 365 * DAY_S
/** Of an app's document about itself. */
const FETCH_MS = 5_000
const DOCUMENT_BYTES = 16 * 1024
const KNOWN_S = { min: 5 * MINUTE_S, max: DAY_S }

/** What the metadata says besides what OAuth 2.1 has: there are no ID tokens. */
const OF_OPENID =
  /^(claim|id_token|jwks_uri|request_|subject_types|userinfo|acr_values|token_endpoint_auth_signing_alg_values_of)/

/** The OAuth server of one issuer. */
export function oauthProvider(issuer: string, deps: ProviderDeps): Provider {
  const provider = new Provider(issuer, configurationOf(issuer, deps))
  const { pathname, protocol, host } = new URL(issuer)
  const { logger } = deps
  // The issuer says where it is reached, no header does.
  provider.proxy = true
  provider.use(async (ctx, next) => {
    Object.assign(ctx.req.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host })
    ctx['mountPath'] = pathname === '/' ? '' : pathname
    const isRequest = ctx.path === ROUTES.authorization
    if (isRequest) ctx.query = { ...ctx.query, scope: (scopesOf(ctx.query['scope']) ?? USUAL_SCOPES).join(' ') }
    await next()
    const { location: to } = ctx.response.headers
    // Anybody can register an app: nobody is sent to its address before they have decided.
    if (isRequest && typeof to === 'string' && !to.startsWith(issuer + CONSENT_PAGE)) {
      const said = new URL(to).searchParams
      ctx.remove('location')
      ctx.status = 400
      showError(ctx, { error: said.get('error') ?? '', error_description: said.get('error_description') ?? '' })
    }
    if (ctx.path.startsWith('/.well-known/')) ctx.body = metadataOf(ctx.body)
  })
  provider.on('server_error', (_ctx, err) => logger.error({ err }, 'an OAuth request failed'))
  provider.onerror = (err) => logger.warn({ err }, 'an OAuth request could not be answered')
  return provider
}

function configurationOf(issuer: string, deps: ProviderDeps): Configuration {
  const resource = resourceOf(issuer)
  const isSecure = issuer.startsWith('https:')
  const prefix = isSecure ? '__Host-' : ''
  const ask = (name: 'login' | 'consent') =>
    new interactionPolicy.Prompt(
      { name, requestable: true },
      new interactionPolicy.Check(
        'asked',
        'the person is asked every time',
        (ctx) => ctx.oidc.result?.[name] === undefined,
      ),
    )
  return {
    adapter: oauthStorage(deps),
    routes: ROUTES,
    // Never used, as no ID token is issued, but insisted on.
    jwks: { keys: [signingKey(deps.secret)] },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    responseTypes: ['code'],
    scopes: [],
    clientAuthMethods: ['none', 'private_key_jwt'],
    pkce: { required: () => true },
    cookies: {
      names: { interaction: `${prefix}fanfare_consent`, resume: 'fanfare_resume', session: 'fanfare_oauth' },
      short: { path: '/' },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: KNOWN_S },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, asked) => {
          if (asked.replace(/\/$/, '') !== resource) throw new errors.InvalidTarget()
          return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' }
        },
      },
    },
    fetch: (url, init = {}) => {
      const headers = new Headers(init.headers)
      headers.delete('user-agent')
      return httpFetch(deps.http, { timeoutMs: FETCH_MS })(url instanceof Request ? url.url : url, {
        ...{ method: init.method ?? 'GET', headers, signal: init.signal ?? null },
      })
    },
    fetchResponseBodyLimits: { 'client_id metadata document': DOCUMENT_BYTES, jwks_uri: DOCUMENT_BYTES },
    extraClientMetadata: { properties: ['software_id'], validator: (_ctx, _name, _value, client) => simplify(client) },
    clientBasedCORS: () => false,
    interactions: { url: (_ctx, { uid }) => `${issuer}${CONSENT_PAGE}${uid}`, policy: [ask('login'), ask('consent')] },
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    renderError: (ctx, out) => showError(ctx, out),
    ttl: {
      ...{ Interaction: ASKED_S, Session: ASKED_S, AuthorizationCode: MINUTE_S },
      ...{ AccessToken: ACCESS_S, RefreshToken: AWAY_S, Grant: GRANT_S },
    },
  }
}

/** `native` has the rules for all apps that have no secret: `https`, a scheme of their own, or any port of this computer (RFC 8252 §7). */
function simplify(client: ClientMetadata): void {
  client.application_type = 'native'
  for (const unused of ['scope', 'contacts', 'software_id', 'default_max_age', 'require_auth_time'] as const) {
    delete client[unused]
  }
}

/** The scopes that are asked for; undefined if there are none, or none that are known. */
function scopesOf(asked: string | readonly string[] | undefined) {
  const scopes = scopesIn(asked)
  return scopes.length === 0 ? undefined : scopes
}

function metadataOf(body: unknown): object {
  const all = Object.entries(body ?? {}).filter(([name]) => !OF_OPENID.test(name))
  return { ...Object.fromEntries(all), scopes_supported: SCOPES }
}

/** What Koa's context is here. */
interface Shown {
  type: string
  body: unknown
  set(headers: Record<string, string>): void
}

function showError(
  ctx: Shown,
  { error, error_description: description }: { error: string; error_description?: string | undefined },
): void {
  const page = pageOf(
    'The app cannot be connected',
    html`<p>It sent a request that is not valid: ${description || error}.</p>
      <p>Nothing was allowed. Try again from the app, or tell its makers: <code>${error}</code>.</p>`,
  )
  ctx.set(page.headers)
  ctx.body = page.html
}

function signingKey(secret: Buffer): JWK {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'oauth signing key', 32))
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }) as JWK
}
