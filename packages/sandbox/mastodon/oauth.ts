import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { byParameters } from '../oauth/client.ts'
import { oauthError } from '../oauth/error.ts'
import { registerOAuth } from '../oauth/token-endpoint.ts'
import { invalidFields } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { refusedAs } from './answer.ts'
import { decode, invalid } from './refusal.ts'
import { issueToken, ownerOf, SCOPES } from './tokens.ts'

const GRANT =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'
const CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'
const INVALID_GRANT = oauthError(400, 'invalid_grant', GRANT)

const isUri = (uri: string) => URL.canParse(uri)
const newApp = z.strictObject({
  client_name: z.string().min(1),
  redirect_uris: z.union([z.string(), z.array(z.string()).length(1)]),
  scopes: z.string().default('read'),
  website: z.url().optional(),
})

/** Apps, which anyone may register; the consent page; and `/oauth/token` and `/oauth/revoke`. */
export function registerLogin(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, ids } = deps

  app.post('/api/v1/apps', (request, reply) => {
    const { client_name: name, redirect_uris, scopes: asked } = decode(newApp, request.body)
    const [redirectUri = ''] = [redirect_uris].flat()
    if (!isUri(redirectUri)) throw invalid('Redirect URI must be an absolute URI.')
    const scopes = asked.split(' ')
    if (scopes.some((scope) => !SCOPES.some((known) => known === scope)))
      throw invalid('Scopes doesn’t match configured on the server.')
    const [clientId, clientSecret] = [ids.token(), ids.token()]
    ledger.addApp({ platform: 'mastodon', clientId, clientSecret, redirectUri, scopes })
    return reply.send({
      ...{ id: ids.token().slice(0, 8), name, website: null, scopes },
      ...{ redirect_uri: redirectUri, redirect_uris: [redirectUri] },
      ...{ client_id: clientId, client_secret: clientSecret, client_secret_expires_at: 0 },
    })
  })

  const consent = {
    platform: 'mastodon',
    path: '/oauth/authorize',
    scopes: SCOPES,
    scopeSeparator: ' ',
    proofKey: true,
    unauthorizedScope: () => ({
      error: 'invalid_scope',
      error_description: 'The requested scope is invalid, unknown, or malformed.',
    }),
  } as const
  registerOAuth(app, deps, consent, {
    path: '/oauth/token',
    client: byParameters('client_id'),
    further: { code: { code_verifier: z.string().min(43).max(128).optional() }, refreshToken: {} },
    // There are none.
    refreshOwner: () => undefined,
    renew: () => ({}),
    grant: ({ account, app: { clientId, clientSecret }, scopes }) => {
      const accessToken = issueToken(account.externalId, deps)
      const scope = scopes.join(' ')
      ledger.saveAccount({ ...account, secrets: { accessToken, clientId, clientSecret, scope } })
      const created_at = Math.floor(deps.clock.now() / 1_000)
      return { access_token: accessToken, token_type: 'Bearer', scope, created_at }
    },
    revocation: {
      path: '/oauth/revoke',
      withApp: true,
      ownerOf: (token) => ownerOf(token, deps),
      refusal: oauthError(403, 'unauthorized_client', 'You are not authorized to revoke this token'),
    },
    refusals: {
      malformed: (error) => oauthError(400, 'invalid_request', invalidFields(error)),
      client: oauthError(401, 'invalid_client', CLIENT),
      code: INVALID_GRANT,
      refreshToken: INVALID_GRANT,
    },
    refuse: (refused, _account, rejected) =>
      refused === 'reject' || refused === 'token_expired'
        ? rejected
        : refusedAs(refused, { retryAfterSeconds: 30 }, deps),
  })
}
