import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { byHeader } from '../oauth/client.ts'
import { oauthError } from '../oauth/error.ts'
import { registerOAuth } from '../oauth/token-endpoint.ts'
import { invalidFields } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusedAs } from './answer.ts'
import { invalid } from './refusal.ts'
import { LIFETIME_S, tokens } from './tokens.ts'

const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']

/** The consent page and `POST /oauth/token`. */
export function registerTokenEndpoint(app: FastifyInstance, deps: StandInDeps): void {
  const bodyOf = (response_type: string, { secrets }: LedgerAccount): object => ({
    response_type,
    access_token: secrets['accessToken'],
    token_type: 'bearer',
    expires_in: LIFETIME_S.access,
    scope: secrets['scope'] ?? SCOPES.join(' '),
    refresh_token: secrets['refreshToken'],
    refresh_token_expires_in: LIFETIME_S.refresh,
    refresh_token_expires_at: Math.floor(deps.clock.now() / 1_000) + LIFETIME_S.refresh,
  })
  const consent = {
    platform: 'pinterest',
    path: '/oauth/',
    scopes: SCOPES,
    scopeSeparator: ',',
  } as const
  registerOAuth(app, deps, consent, {
    path: '/v5/oauth/token',
    client: byHeader,
    further: {
      code: { continuous_refresh: z.enum(['true', 'false']).optional() },
      refreshToken: { scope: z.string().optional() },
    },
    refreshOwner: (given) => tokens.refreshOwner(given, deps),
    renew: (account, used) => bodyOf('refresh_token', tokens.rotate(account, used, deps)),
    grant: (grant) => bodyOf('authorization_code', tokens.grant(grant, deps)),
    refusals: {
      malformed: (error) => invalid(invalidFields(error)).answer,
      client: oauthError(401, 'invalid_client', 'Client authentication failed.'),
      code: oauthError(400, 'invalid_grant', 'The authorization code is invalid or has expired.'),
      refreshToken: oauthError(400, 'invalid_grant', 'The refresh token is invalid or has expired.'),
    },
    refuse: (refused, account, rejected) => refusedAs(refused, account, deps, rejected),
  })
}
