import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Grant, Interaction, Provider } from 'oidc-provider'
import type { Scope } from '../../domain/core/scope.ts'
import { asText } from '../../domain/core/text.ts'
import { oneLine } from '../../domain/log/describe/wording.ts'
import type { OAuthClient } from '../../domain/workspace/api-key.ts'
import { addressBlock } from '../http/client-address.ts'
import { mustBeAdmitted, type Admission } from '../http/admission.ts'
import { otherMethods } from '../http/methods.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import type { TimeLimit } from '../http/time-limit.ts'
import { issuerOf, RESOURCE_METADATA, resourceMetadata, resourceOf, scopesIn, type Place } from './issuer.ts'
import type { ProviderDeps } from './provider.ts'

/** An app that asks a person, in the browser in which it began. */
export interface OAuthRequest {
  readonly id: string
  readonly client: OAuthClient & {
    readonly name: string
    /** Whose document it is, if the app has one at a URL of its own; nobody has checked the name of any other. */
    readonly site: string | undefined
  }
  readonly scopes: readonly Scope[]
  /** Where the browser goes on, if it was decided already. */
  readonly decided: string | undefined
}

export interface OAuthServer {
  mount(app: FastifyInstance, by: { readonly admission: Admission; readonly limit: TimeLimit }): void
  /** Undefined when it has expired, or another one has begun in this browser since. */
  find(request: FastifyRequest, reply: FastifyReply, id: string): Promise<OAuthRequest | undefined>
  /** Where the browser goes on. @param keyId the API key that the grant is */
  allow(request: FastifyRequest, reply: FastifyReply, keyId: string, scopes: readonly Scope[]): Promise<string>
  deny(request: FastifyRequest, reply: FastifyReply): Promise<string>
}

/** For each name of this computer. */
const MOST_ISSUERS = 4
const REGISTRATIONS = { perMinute: 10, perDay: 60 }
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
const [LONGEST_NAME, LONGEST_ID, LONGEST_HOST] = [100, 2_000, 300]

/** Lets apps act for people with OAuth 2.1, as the Model Context Protocol has it (decision 84). */
export function createOAuthServer(deps: ProviderDeps & Place): OAuthServer {
  const { db, clock } = deps
  const registrations = createRateLimiter(db, clock, REGISTRATIONS)
  const providers = new Map<string, Promise<Provider>>()
  const providerOf = async (issuer: string): Promise<Provider> => {
    let made = providers.get(issuer)
    if (!made) {
      // It and Koa are loaded when somebody uses them.
      made = import('./provider.ts').then(({ oauthProvider }) => oauthProvider(issuer, deps))
      providers.set(issuer, made)
      const [oldest] = providers.keys()
      if (providers.size > MOST_ISSUERS && oldest !== undefined) providers.delete(oldest)
    }
    return made
  }
  const issuer = (request: FastifyRequest) => issuerOf(request, deps)

  return {
    mount: (app, { admission, limit }) => {
      // Koa reads the bodies.
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, _body, done) => done(null))
      const answer = async (request: FastifyRequest, reply: FastifyReply) => {
        await limit.keep(admission.admit(request, reply))
        const provider = await providerOf(issuer(request))
        reply.hijack()
        for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
        await provider.callback()(request.raw, reply.raw)
      }
      const serve = (
        method: 'GET' | 'POST',
        url: string,
        handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> = answer,
      ) => {
        app.route({ method, url, handler })
        otherMethods(app, url, [method])
      }
      for (const url of METADATA) serve('GET', url)
      for (const url of [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`]) {
        serve('GET', url, async (request) => resourceMetadata(issuer(request)))
      }
      serve('GET', '/oauth/authorize')
      serve('GET', '/oauth/authorize/:id')
      serve('POST', '/oauth/token')
      serve('POST', '/oauth/revoke')
      serve('POST', '/oauth/register', async (request, reply) => {
        const admitted = registrations.admit(`register:${addressBlock(String(request.ip))}`)
        mustBeAdmitted(await limit.keep(admitted), reply, clock)
        return answer(request, reply)
      })
    },

    find: async (request, reply, id) => {
      const provider = await providerOf(issuer(request))
      const asked = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
      if (asked?.uid !== id) return undefined
      const found = await provider.Client.find(String(asked.params['client_id']))
      if (!found) return undefined
      const { clientId, clientName = '' } = found
      const site = clientId.startsWith('https:') ? new URL(clientId).host : undefined
      const name = asText(oneLine(clientName), LONGEST_NAME) || site || 'An app'
      const decided = asked.result && asked.returnTo
      const client = { ...{ id: asText(clientId, LONGEST_ID), name, site }, host: hostOf(asked) }
      return { id, client, scopes: scopesIn(asked.params['scope']), decided }
    },

    allow: async (request, reply, keyId, scopes) => {
      const at = issuer(request)
      const provider = await providerOf(at)
      const { params } = await provider.interactionDetails(request.raw, reply.raw)
      const { ACCOUNT: accountId } = await import('./provider.ts')
      const given = { jti: keyId, accountId, clientId: String(params['client_id']) }
      const grant: Grant = new provider.Grant(given)
      grant.addResourceScope(String(params['resource'] ?? resourceOf(at)), scopes.join(' '))
      await grant.save()
      const result = { login: { accountId, remember: false }, consent: { grantId: keyId } }
      return provider.interactionResult(request.raw, reply.raw, result)
    },

    deny: async (request, reply) => {
      const provider = await providerOf(issuer(request))
      return provider.interactionResult(request.raw, reply.raw, { error: 'access_denied' })
    },
  }
}

/** To whom the code is sent: a host, or the scheme of an app. */
function hostOf({ params }: Interaction): string {
  const { protocol, host } = new URL(String(params['redirect_uri']))
  return (/^https?:$/.test(protocol) ? host : protocol.slice(0, -1)).slice(0, LONGEST_HOST)
}
