import { createHash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client'
import * as z from 'zod'
import { httpFetch } from '../http/http-fetch.ts'
import type { Http } from '../http/http.ts'
import type { Clock } from '../runtime/clock.ts'
import type { OidcSettings } from '../runtime/oidc-settings.ts'
import { signInFailureOf } from './sign-in-failure.ts'

/** The secrets of one sign-in. */
export interface FlowSecrets {
  readonly state: string
  readonly nonce: string
  /** The proof key (RFC 7636). */
  readonly verifier: string
}

/** Who signed in at the provider. */
export interface Claims {
  readonly issuer: string
  /** SHA-256 (hex) of the issuer and the subject, which identify a person; names and addresses do not. */
  readonly subjectHash: string
  /** What the person may be called, the best first. */
  readonly names: readonly string[]
  readonly groups: readonly string[]
}

export interface IdentityProvider {
  readonly issuer: string
  /** Where a browser signs in. @throws SignInFailure */
  begin(redirectUri: string, secrets: FlowSecrets): Promise<string>
  /**
   * Whom the provider has sent back.
   *
   * @param answer the query of the URL to which the browser was sent back
   * @throws SignInFailure
   */
  end(redirectUri: string, answer: string, secrets: FlowSecrets): Promise<Claims>
}

/** Per call: a sign-in needs up to four of them before its request times out. */
const TIMEOUT_MS = 6_000
/** What the provider says of itself is asked again after this time. */
const KNOWN_FOR_MS = 3_600_000
/** How far the clocks may be apart. */
const CLOCKS_S = 60
const MOST_GROUPS = 1_000

/** Providers do as they like with claims that are not ours to insist on. */
const name = z.string().catch('')
const groupsSchema = z
  .union([z.string().transform((group) => [group]), z.array(z.unknown())])
  .transform((all) => all.flatMap((group) => (typeof group === 'string' ? [group] : [])).slice(0, MOST_GROUPS))
  .catch([])

/** An OpenID Connect provider. Nothing is asked of it before somebody signs in, so the service starts without it. */
export function identityProvider(
  settings: Pick<OidcSettings, 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'groupsClaim'>,
  { http, clock }: { readonly http: Http; readonly clock: Clock },
): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes, groupsClaim } = settings
  let known: { readonly at: number; readonly configuration: Promise<Configuration> } | undefined
  const guarded = httpFetch(http, { timeoutMs: TIMEOUT_MS })
  const fetch: CustomFetch = (url, { body, ...init }) => guarded(url, { ...init, body: body ? asForm(body) : null })

  const discover = () =>
    discovery(new URL(issuer), clientId, { [clockTolerance]: CLOCKS_S }, authentication(clientSecret), {
      [customFetch]: fetch,
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    })
  const configured = async () => {
    if (known === undefined || clock.now() - known.at > KNOWN_FOR_MS) {
      const asked = { at: clock.now(), configuration: discover() }
      asked.configuration.catch(() => {
        if (known === asked) known = undefined
      })
      known = asked
    }
    return known.configuration
  }
  const orFailure = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw signInFailureOf(error)
    }
  }

  const begin = async (redirectUri: string, { state, nonce, verifier }: FlowSecrets) => {
    const url = buildAuthorizationUrl(await configured(), {
      ...{ redirect_uri: redirectUri, scope: scopes.join(' '), state, nonce },
      ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    })
    return url.href
  }
  const end = async (redirectUri: string, answer: string, { state, nonce, verifier }: FlowSecrets): Promise<Claims> => {
    const configuration = await configured()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
    const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer}`), checks)
    const token = tokens.claims()
    if (!token) throw new Error('openid-client let an answer without an ID token through')
    let all: Readonly<Record<string, unknown>> = token
    const lacks = token[groupsClaim] === undefined || (token['preferred_username'] ?? token['email']) === undefined
    if (lacks && configuration.serverMetadata().userinfo_endpoint !== undefined) {
      all = { ...(await fetchUserInfo(configuration, tokens.access_token, token.sub)), ...token }
    }
    return {
      issuer: token.iss,
      subjectHash: createHash('sha256')
        .update(JSON.stringify([token.iss, token.sub]))
        .digest('hex'),
      names: [all['preferred_username'], all['email'], all['name']].map((given) => name.parse(given)),
      groups: groupsSchema.parse(all[groupsClaim]),
    }
  }
  return {
    issuer,
    begin: (redirectUri, secrets) => orFailure(begin(redirectUri, secrets)),
    end: (redirectUri, answer, secrets) => orFailure(end(redirectUri, answer, secrets)),
  }
}

/** `client_secret_basic` is what a provider accepts unless it says otherwise (OpenID Connect Discovery 1.0 §3). */
function authentication(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    return (methods && !methods.includes('client_secret_basic') ? post : basic)(server, ...rest)
  }
}

/** openid-client posts nothing but forms. */
function asForm(body: unknown): string {
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('a body of another kind than a form')
}
