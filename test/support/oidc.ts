import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import type { Test } from 'tap'
import { identityProvider } from '../../infra/oidc/identity-provider.ts'
import { guardedHttp } from '../../infra/http/guarded-http.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import type { SingleSignOn } from '../../api/dashboard/services.ts'
import { freePort } from './free-port.ts'

/** It warns of what is right in a test: that it keeps nothing and lets everybody in, and of Node.js 20. */
const { console } = globalThis
const { warn } = console
console.warn = (text: unknown, ...more: unknown[]) => {
  if (!String(text).includes('oidc-provider WARNING')) warn(text, ...more)
}
const { Provider } = await import('oidc-provider')

export const CLIENT_ID = 'fanfare'
export const CLIENT_SECRET = 'client-secret-of-the-test'

/** What the provider knows of somebody, by their login. */
export type People = Map<string, { readonly groups?: unknown; readonly [claim: string]: unknown }>

/** A real provider on this machine, where people sign in with any password. */
export async function givenProvider(t: Test, redirectUri: string, people: People): Promise<string> {
  const issuer = `http://127.0.0.1:${await freePort()}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  })
  await served(t, provider.callback(), Number(new URL(issuer).port))
  return issuer
}

export async function served(t: Test, listener: RequestListener, port = 0): Promise<HttpServer> {
  const server = createServer(listener).listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

export function signOnWith(
  t: Test,
  issuer: string,
  more: Partial<SingleSignOn> & { readonly secret?: string } = {},
): SingleSignOn {
  const { secret = CLIENT_SECRET, ...rest } = more
  const http = guardedHttp({ policy: outboundPolicy('127.0.0.1'), clock: systemClock, userAgent: 'test' })
  t.teardown(() => http.close())
  const settings = {
    ...{ issuer, clientId: CLIENT_ID, clientSecret: secret, scopes: ['openid', 'profile', 'email'] },
    groupsClaim: 'groups',
  }
  const provider = identityProvider(settings, { http, clock: systemClock })
  return { provider, name: 'single sign-on', workspace: undefined, roles: [], close: async () => undefined, ...rest }
}

/** Signs in at the provider, as a person does in a browser. @returns where the browser is sent back to */
export async function signInAt(url: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  const issuer = new URL(url).origin
  const ask = async (at: string, form?: Record<string, string>) => {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  let answer = await ask(url)
  for (let step = 0; step < 12; step += 1) {
    const location = answer.headers.get('location')
    const at = new URL(location ?? answer.url, issuer)
    if (at.origin !== issuer) return at.href
    if (location !== null) answer = await ask(at.href)
    else {
      const page = await answer.text()
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
      if (prompt === '') throw new Error(`the provider says ${page.slice(0, 2_000)}`)
      answer = await ask(at.href, { prompt, ...(prompt === 'login' && { login, password: 'any' }) })
    }
  }
  throw new Error('the provider does not come to an end')
}

/** What is wrong with a provider that is not what it should be. */
export interface Oddity {
  readonly claims?: object
  readonly issuer?: string
  /** Signs with another key than it publishes. */
  readonly forges?: boolean
  /** In place of the answer of an endpoint. */
  readonly token?: RequestListener
  readonly discovery?: RequestListener
}

/**
 * A provider that answers with whatever the test wants it to. The nonce is that of the flow whose `nonce` is set.
 */
export async function givenOddProvider(t: Test) {
  const odd: { is: Oddity; nonce: string } = { is: {}, nonce: '' }
  const [key, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  if (!key || !other) throw new Error('no keys')
  const server = await served(t, (request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer)
    const json = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const { claims, forges, token, discovery } = odd.is
    if (pathname.startsWith('/.well-known')) {
      if (discovery) return discovery(request, response)
      const at = {
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      }
      return json({ issuer: odd.is.issuer ?? issuer, ...at, id_token_signing_alg_values_supported: ['RS256'] })
    }
    if (pathname === '/jwks')
      return json({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256' }] })
    if (token) return token(request, response)
    const now = Math.floor(Date.now() / 1_000)
    const usual = { iss: issuer, sub: 'odd', aud: CLIENT_ID, iat: now, exp: now + 300, nonce: odd.nonce }
    const person = { preferred_username: 'odd', groups: ['social'] }
    const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url')
    const signed = `${part({ alg: 'RS256', kid: '1' })}.${part({ ...usual, ...person, ...claims })}`
    const { privateKey } = forges ? other : key
    const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url')
    return json({ access_token: 'access', token_type: 'Bearer', id_token: `${signed}.${signature}` })
  })
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return { odd, issuer }
}
