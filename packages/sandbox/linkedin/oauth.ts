import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Answer, Refused } from '../answer.ts'
import { byParameters } from '../oauth/client.ts'
import { oauthError } from '../oauth/error.ts'
import { registerOAuth } from '../oauth/token-endpoint.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refuse } from './refusal.ts'
import { SCOPES, unauthorizedScope } from './products.ts'
import { grantTo, refreshOwner, renew } from './tokens.ts'

const UNUSABLE_CODE =
  'appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.'

const INVALID_GRANT = oauthError(400, 'invalid_grant', 'The provided refresh token has expired or was revoked')
const FAULTS: Readonly<Record<Refused, Answer>> = {
  reject: INVALID_GRANT,
  token_expired: INVALID_GRANT,
  rate_limit: refuse(429, 'TOO_MANY_REQUESTS', 'Too many requests').answer,
  server_error: oauthError(500, 'server_error', 'Internal Server Error'),
}

/** The consent page and the token endpoint. */
export function registerTokenEndpoint(app: FastifyInstance, deps: StandInDeps): void {
  const consent = {
    platform: 'linkedin',
    path: '/oauth/v2/authorization',
    scopes: SCOPES,
    scopeSeparator: ' ',
    unauthorizedScope,
  } as const
  registerOAuth(app, deps, consent, {
    path: '/oauth/v2/accessToken',
    client: byParameters('client_id'),
    refreshOwner: (given) => refreshOwner(given, deps),
    renew: (account, refreshToken) => renew(account, refreshToken, deps),
    grant: (grant) => grantTo(grant, deps),
    refusals: {
      malformed: (error) => oauthError(400, 'invalid_request', z.prettifyError(error)),
      client: oauthError(401, 'invalid_client', 'Client authentication failed'),
      code: oauthError(400, 'invalid_request', `Unable to retrieve access token: ${UNUSABLE_CODE}`),
      refreshToken: oauthError(400, 'invalid_grant', 'The provided refresh token is invalid'),
    },
    refuse: (refused) => FAULTS[refused],
  })
}
