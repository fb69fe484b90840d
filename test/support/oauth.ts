import { createHash, randomBytes } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import * as z from 'zod'
import type { SignedIn } from './dashboard.ts'

/* Apps that ask, and a person who decides in a browser. */

export const REDIRECT = 'http://localhost:7777/callback'

/** What the SDK's client keeps, and where it wants to send its person. */
export function appProvider(name: string, more: Partial<OAuthClientProvider['clientMetadata']> = {}) {
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let to: URL | undefined
  let discovered: OAuthDiscoveryState | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: name, redirect_uris: [REDIRECT], ...more },
    clientInformation: () => client,
    saveClientInformation: (information) => void (client = information),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (to = url),
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
    saveDiscoveryState: (saved) => void (discovered = saved),
    discoveryState: () => discovered,
    invalidateCredentials: () => void (tokens = undefined),
  }
  return { provider, tokens: () => tokens, client: () => client, to: () => to }
}

export interface Choice {
  readonly workspaceId: string
  readonly scopes: readonly string[]
  readonly budgets?: object
  readonly undoSeconds?: number
}

export interface Visit {
  readonly status: number
  readonly to: string
  readonly text: string
}

/** The browser of a person who is signed in, at a service that listens. */
export function browserOf({ cookie, csrfToken }: SignedIn, origin: string) {
  const jar = new Map<string, string>()
  const send = async (url: string, init: RequestInit = {}) => {
    const cookies = [cookie, ...[...jar].map((pair) => pair.join('='))].join('; ')
    const answer = await fetch(new URL(url, origin), {
      ...{ redirect: 'manual', ...init },
      headers: { cookie: cookies, 'x-csrf-token': csrfToken, 'content-type': 'application/json' },
    })
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const [name = '', value = ''] = pair.split('=')
      jar.set(name, value)
    }
    return { status: answer.status, to: answer.headers.get('location') ?? '', text: await answer.text() }
  }
  /** The id of a request that shows its page. */
  const ask = async (url: string): Promise<string> => {
    const { status, to, text } = await send(url)
    if (status !== 303) throw new Error(text)
    return new URL(to).pathname.replace('/authorize/', '')
  }
  const decide = async (id: string, choice: Choice | undefined) => {
    const method = choice ? 'POST' : 'DELETE'
    return send(`/dashboard/api/consent/${id}`, { method, ...(choice && { body: JSON.stringify(choice) }) })
  }
  return {
    jar,
    send,
    ask,
    decide,
    shown: async (id: string) => JSON.parse((await send(`/dashboard/api/consent/${id}`)).text) as unknown,
    /** Where the app is called back. */
    consent: async (url: string, choice: Choice | undefined): Promise<URL> => {
      const { status, text } = await decide(await ask(url), choice)
      if (status !== 200) throw new Error(text)
      return new URL((await send(z.object({ to: z.string() }).parse(JSON.parse(text)).to)).to)
    },
  }
}

export type Browser = ReturnType<typeof browserOf>

export interface Grant {
  readonly code: string
  readonly verifier: string
  readonly client: string
}

/** An app that does it all by hand. */
export function rawApp(origin: string) {
  const post = async (path: string, body: Readonly<Record<string, string>>) => {
    const answer = await fetch(origin + path, { method: 'POST', body: new URLSearchParams(body) })
    const text = await answer.text()
    const said = z.record(z.string(), z.unknown()).parse(text === '' ? {} : JSON.parse(text))
    return { status: answer.status, body: said }
  }
  const register = async (metadata: object, from?: string) => {
    const headers = { 'content-type': 'application/json', ...(from !== undefined && { 'x-forwarded-for': from }) }
    const answer = await fetch(`${origin}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) })
    const body = z.record(z.string(), z.unknown()).parse(await answer.json())
    return { status: answer.status, body, id: String(body['client_id']) }
  }
  return {
    post,
    register,
    /** The address at which it asks. */
    asks: (client: string, more: Readonly<Record<string, string | undefined>> = {}) => {
      const verifier = randomBytes(32).toString('base64url')
      const query = {
        ...{ client_id: client, response_type: 'code', redirect_uri: REDIRECT, state: 's', scope: 'posts:read' },
        ...{ resource: `${origin}/mcp`, code_challenge_method: 'S256' },
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        ...more,
      }
      const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
      return { url: `${origin}/oauth/authorize?${new URLSearchParams(given)}`, verifier }
    },
    redeem: ({ client, code, verifier }: Grant, more: Readonly<Record<string, string>> = {}) =>
      post('/oauth/token', {
        ...{ grant_type: 'authorization_code', client_id: client, redirect_uri: REDIRECT },
        ...{ code, code_verifier: verifier, resource: `${origin}/mcp`, ...more },
      }),
    refresh: (client: string, token: unknown, more: Readonly<Record<string, string>> = {}) =>
      post('/oauth/token', {
        ...{ grant_type: 'refresh_token', client_id: client, refresh_token: String(token), ...more },
      }),
    /** The status of a call with the token, and what its header says. */
    calls: async (token: unknown, at = origin) => {
      const answer = await fetch(`${at}/mcp`, {
        method: 'POST',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${String(token)}` }),
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
      })
      const text = await answer.text()
      return { status: answer.status, asks: answer.headers.get('www-authenticate') ?? '', text }
    },
  }
}
