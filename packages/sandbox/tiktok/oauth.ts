import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Answer, Refused } from '../answer.ts'
import type { LedgerAccount } from '../ledger.ts'
import { byParameters } from '../oauth/client.ts'
import { withoutPrevious } from '../oauth/rotating-tokens.ts'
import { registerOAuth } from '../oauth/token-endpoint.ts'
import type { StandInDeps } from '../stand-in.ts'
import { tokenError } from './refusal.ts'
import { LIFETIME_S, SCOPES, scopesOf, tokens } from './tokens.ts'

const INVALID_REFRESH_TOKEN = tokenError(400, 'invalid_grant', 'Refresh token is invalid or expired.')
const FAULTS: Readonly<Record<Refused, Answer>> = {
  reject: INVALID_REFRESH_TOKEN,
  token_expired: INVALID_REFRESH_TOKEN,
  rate_limit: tokenError(429, 'rate_limit_exceeded', 'Too many requests.'),
  server_error: tokenError(503, 'temporarily_unavailable', 'The server is currently unable to handle the request.'),
}

/** The consent page and `POST /v2/oauth/token/`. */
export function registerTokenEndpoint(app: FastifyInstance, deps: StandInDeps): void {
  const consent = {
    platform: 'tiktok',
    path: '/v2/auth/authorize/',
    clientIdName: 'client_key',
    scopes: SCOPES,
    scopeSeparator: ',',
    canDecline: (scope: string) => scope !== 'user.info.basic',
  } as const
  registerOAuth(app, deps, consent, {
    path: '/v2/oauth/token/',
    client: byParameters('client_key', z.string()),
    refreshOwner: (given) => tokens.refreshOwner(given, deps),
    renew: (account, used) => tokenBody(tokens.rotate(account, used, deps)),
    grant: (grant) => tokenBody(tokens.grant({ ...grant, account: withoutPrevious(grant.account) }, deps)),
    revocation: {
      path: '/v2/oauth/revoke/',
      withApp: true,
      ownerOf: (token) => tokens.bearerOf(`Bearer ${token}`, deps),
      refusal: tokenError(400, 'invalid_request', 'The token is invalid or expired.'),
    },
    refusals: {
      malformed: () => tokenError(400, 'invalid_request', 'The request parameters are malformed.'),
      client: tokenError(400, 'invalid_client', 'Client key or secret is incorrect.'),
      code: tokenError(400, 'invalid_grant', 'Authorization code is expired.'),
      refreshToken: INVALID_REFRESH_TOKEN,
    },
    refuse: (refused) => FAULTS[refused],
  })
}

function tokenBody(account: LedgerAccount): object {
  const { externalId, secrets } = account
  return {
    open_id: externalId,
    scope: scopesOf(account),
    access_token: secrets['accessToken'],
    expires_in: LIFETIME_S.access,
    refresh_token: secrets['refreshToken'],
    refresh_expires_in: LIFETIME_S.refresh,
    token_type: 'Bearer',
  }
}
