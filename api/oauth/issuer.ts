import type { FastifyRequest } from 'fastify'
import { SCOPES, type Scope } from '../../domain/core/scope.ts'

/** Where browsers and apps find the service. */
export interface Place {
  readonly publicUrl: string | undefined
  /** Without a trailing slash. */
  readonly url: () => string
}

/** Where the MCP endpoint is, below the service's URL. */
const RESOURCE = '/mcp'
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** What an app asks for unless it says otherwise: what the tools of `/mcp` need. The person decides how much of it they allow. */
export const USUAL_SCOPES = [
  'accounts:read',
  'posts:read',
  'posts:propose',
  'posts:write',
  'approvals:write',
  'comments:read',
  'comments:write',
  'analytics:read',
] as const satisfies readonly Scope[]

/**
 * The issuer of the tokens, without a trailing slash: `PUBLIC_URL` or, without it, the name of this computer that the app uses. Apps compare
 * it, so `localhost` must not answer for `127.0.0.1`.
 */
export function issuerOf({ headers }: Pick<FastifyRequest, 'headers'>, { publicUrl, url }: Place): string {
  if (publicUrl !== undefined) return publicUrl
  const asked = `http://${headers.host ?? ''}`
  const own = URL.canParse(asked) ? new URL(asked) : undefined
  return own && LOOPBACK.includes(own.hostname) ? own.origin : url()
}

/** What tokens of this issuer are for. */
export function resourceOf(issuer: string): string {
  return issuer + RESOURCE
}

/** Of the protected resource (RFC 9728). */
export function resourceMetadata(issuer: string) {
  return {
    resource: resourceOf(issuer),
    authorization_servers: [issuer],
    scopes_supported: USUAL_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Fanfare',
  }
}

/** How a client without a valid token learns where to get one (RFC 9728 §5.1, RFC 6750 §3). */
export function challenge(issuer: string, hasToken: boolean): string {
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${issuer}${RESOURCE_METADATA}"`,
    `scope="${USUAL_SCOPES.join(' ')}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

/** Those of the names that are scopes. */
export function scopesIn(text: unknown): readonly Scope[] {
  const names = typeof text === 'string' ? text.split(' ') : []
  return SCOPES.filter((scope) => names.includes(scope))
}
