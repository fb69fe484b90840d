import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import type { Answer, Refused } from '../answer.ts'
import { byParameters } from '../oauth/client.ts'
import { oauthError } from '../oauth/error.ts'
import { registerOAuth } from '../oauth/token-endpoint.ts'
import { revokeAccess } from '../oauth/token.ts'
import type { StandInDeps } from '../stand-in.ts'
import { bearerOf, grantAccess, LIFETIME_S, refreshOwner, renewAccess } from './tokens.ts'

const REVOKED = oauthError(400, 'invalid_grant', 'Token has been expired or revoked.')
const FAULTS: Readonly<Record<Refused, Answer>> = {
  reject: REVOKED,
  rate_limit: oauthError(429, 'rate_limit_exceeded', 'Rate Limit Exceeded'),
  server_error: oauthError(503, 'internal_failure', 'Backend Error'),
  token_expired: REVOKED,
}

/**
 * Google's consent page, and `POST /token`.
 *
 * @param scopes known to the platform's service; the first one is the scope of accounts without a consent
 */
export function registerGoogleOAuth(
  app: FastifyInstance,
  platform: PlatformKey,
  scopes: readonly [string, ...string[]],
  deps: StandInDeps,
): void {
  const consent = {
    platform,
    path: '/o/oauth2/v2/auth',
    scopes: [...scopes, 'openid'],
    scopeSeparator: ' ',
    // Checkboxes are shown for two scopes or more, beside those for signing in.
    canDecline: (scope: string, asked: readonly string[]) => scope !== 'openid' && asked.length > 1,
    proofKey: true,
    optional: ['state', 'code_challenge', 'code_challenge_method'],
    further: {
      access_type: ['online', 'offline'],
      prompt: ['none', 'consent', 'select_account', 'consent select_account', 'select_account consent'],
      include_granted_scopes: ['true', 'false'],
      login_hint: 'anything',
    },
  } as const
  registerOAuth(app, deps, consent, {
    path: '/token',
    client: byParameters('client_id'),
    further: { code: { code_verifier: z.string().optional() }, refreshToken: {} },
    refreshOwner: (given) => refreshOwner(platform, given, deps),
    renew: (account) => {
      const { scope = scopes[0] } = account.secrets
      return { access_token: renewAccess(account, deps), ...grantedFields(scope) }
    },
    grant: (grant) => {
      const { accessToken: access_token, refreshToken: refresh_token, scope = '' } = grantAccess(grant, deps).secrets
      return { access_token, refresh_token, ...grantedFields(scope) }
    },
    revocation: {
      path: '/revoke',
      withApp: false,
      inQuery: true,
      ownerOf: (token) => refreshOwner(platform, token, deps) ?? bearerOf(platform, `Bearer ${token}`, deps),
      refusal: oauthError(400, 'invalid_token', 'Token expired or revoked'),
    },
    refusals: {
      malformed: () => oauthError(400, 'invalid_request', 'Missing or unknown parameter.'),
      client: oauthError(401, 'invalid_client', 'The provided client secret is invalid.'),
      unknownClient: oauthError(401, 'invalid_client', 'The OAuth client was not found.'),
      redirectUri: oauthError(400, 'redirect_uri_mismatch', 'Bad Request'),
      code: oauthError(400, 'invalid_grant', 'Malformed auth code.'),
      refreshToken: oauthError(400, 'invalid_grant', 'Bad Request'),
    },
    refuse: (refused, account) => {
      if (refused === 'token_expired') revokeAccess(account, deps)
      return FAULTS[refused]
    },
  })
}

function grantedFields(scope: string): object {
  return { expires_in: LIFETIME_S, scope, token_type: 'Bearer' }
}
