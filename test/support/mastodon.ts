import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import * as z from 'zod'
import type { Http } from '../../infra/http/http.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { mastodon } from '../../platforms/mastodon/index.ts'
import type { AuthorizationCode } from '../../platforms/kit/authorization.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type {
  Credentials,
  CredentialStore,
  PlatformAccount,
  PlatformIo,
  PublishJob,
} from '../../platforms/kit/platform.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import { consent } from './browser.ts'
import { jobOf } from './bluesky.ts'
import { interceptingProxy } from './intercepting-proxy.ts'
import { givenAccount, givenSandbox, ids, memoryCredentials, postJson } from './sandbox.ts'
import { snacProgram, startSnac, type LocalSnac } from './snac.ts'

/** A server with Mastodon's API: the sandbox's, or a real one that others wrote. Both are asked the same things. */
export interface MastodonServer {
  readonly name: string
  /** Without a trailing slash. */
  readonly url: string
  /** Makes an account, whose owner lets the app of this consent page in. */
  newOwner(): Promise<(consentUrl: string) => Promise<URL>>
  newFan(): Promise<Fan>
  /** Whether apps can delete posts; posts for followers are in the list of the account's posts; a key that is repeated makes one post. */
  readonly does: { readonly deletes: boolean; readonly listsHidden: boolean; readonly keepsKeys: boolean }
}

/** Somebody else on the server. */
export interface Fan {
  readonly name: string
  /** Writes to the account, under a post of it or elsewhere. @returns the id of what is written */
  writes(text: string, to: ConnectedMastodon, postId?: string): Promise<string>
}

/** The sandbox, and a real server where there is one to start. */
export async function mastodonServers(t: Test, http: Http): Promise<readonly MastodonServer[]> {
  const sandbox = sandboxMastodon(await givenSandbox(t), http)
  const program = await snacProgram()
  if (program === undefined) {
    void t.test('a real server', { skip: 'install snac2, or set FANFARE_TEST_SNAC to its program' }, () => {})
    return [sandbox]
  }
  const snac = await startSnac(program)
  t.teardown(() => snac.close())
  // It closes connections without saying so, which a reused one notices too late.
  const { url } = await interceptingProxy(t, snac.url)
  return [sandbox, realMastodon({ ...snac, url }, http)]
}

export function sandboxMastodon(sandbox: Sandbox, http: Http): MastodonServer {
  return {
    name: 'the sandbox',
    url: `${sandbox.url}/mastodon`,
    newOwner: async () => {
      const { externalId } = await givenAccount(http, sandbox, 'mastodon')
      return async (url) => new URL(await consent(url, externalId, 'allow'))
    },
    newFan: async () => ({
      name: 'Ada Fan',
      writes: async (text, { account: { externalId: accountId } }, postId) => {
        const comment = {
          platform: 'mastodon',
          accountId,
          author: 'Ada Fan',
          text,
          ...(postId !== undefined && { postId }),
        }
        const answer = await postJson(http, `${sandbox.url}/_control/comments`, comment)
        return made.parse(answer.json()).id
      },
    }),
    does: { deletes: true, listsHidden: true, keepsKeys: true },
  }
}

export function realMastodon(snac: LocalSnac, http: Http): MastodonServer {
  const server: MastodonServer = {
    name: 'a real server',
    url: snac.url,
    newOwner: async () => {
      const { name, password } = await snac.createAccount(`a${randomBytes(6).toString('hex')}`)
      return async (consentUrl) => {
        const page = await (await fetch(consentUrl)).text()
        const hidden = [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
        const fields = Object.fromEntries(hidden.map(([, field = '', value = '']) => [field, value]))
        const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
        const body = new URLSearchParams({ ...fields, login: name, passwd: password })
        const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' })
        return new URL(answer.headers.get('location') ?? '')
      }
    },
    newFan: async () => {
      const { credentials, label } = await connectedMastodon(http, server)
      return {
        name: /^@(\w+)/.exec(label)?.[1] ?? '',
        writes: async (text, to, postId) => {
          const { accessToken = '' } = await credentials.read()
          const [name = ''] = to.label.slice(1).split('@')
          const json = { status: `@${name} ${text}`, ...(postId !== undefined && { in_reply_to_id: postId }) }
          const headers = { authorization: `Bearer ${accessToken}` }
          return made.parse((await postJson(http, `${snac.url}/api/v1/statuses`, json, headers)).json()).id
        },
      }
    },
    does: { deletes: false, listsHidden: false, keepsKeys: false },
  }
  return server
}

const made = z.object({ id: z.string() })

const REDIRECT_URI = 'http://localhost:3000/connect/mastodon/callback'

/** What the owner of a new account grants to an app that is registered for it. */
export async function grantedBy(server: MastodonServer, io: Omit<PlatformIo, 'credentials'>): Promise<Credentials> {
  const { authorization } = mastodon.logins[0] as { authorization: AuthorizationCode }
  const visit = await server.newOwner()
  const app = await authorization.register?.(REDIRECT_URI, server.url, io)
  if (!app) throw new Error('no app was registered')
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const scopes = Object.values(mastodon.logins[0]?.permissions ?? {}).flat()
  const request = { scopes: [...new Set(scopes)], redirectUri: REDIRECT_URI, state: 'ours', challenge }
  const back = await visit(authorization.consentUrl(app, request, server.url))
  if (back.searchParams.get('state') !== 'ours') throw new Error(`the browser came back with ${back.href}`)
  const code = back.searchParams.get('code') ?? ''
  return authorization.exchange(app, { code, redirectUri: REDIRECT_URI, verifier }, server.url, io)
}

export interface ConnectedMastodon {
  /** `@name@host`. */
  readonly label: string
  readonly account: PlatformAccount
  readonly credentials: CredentialStore
  readonly io: PlatformIo
}

/** @param baseUrl where it is connected through. Default: the server itself */
export async function connectedMastodon(
  http: Http,
  server: MastodonServer,
  baseUrl = server.url,
): Promise<ConnectedMastodon> {
  const media = mediaSource({ http, clock: systemClock, directory: tmpdir() })
  const bare = { http, media, clock: systemClock, signal: AbortSignal.timeout(60_000) }
  const granted = await grantedBy(server, bare)
  const { externalId, label, credentials: stored } = await mastodon.connect(granted, baseUrl, bare)
  const credentials = memoryCredentials(stored)
  const account = { id: resourceId('acc', ids.ulid()), platform: 'mastodon', externalId, baseUrl } as const
  return { label, account, credentials, io: { ...bare, credentials } }
}

export function textJobOf(account: PlatformAccount, text: string, more: Partial<PublishJob> = {}): PublishJob {
  return jobOf(account, { mediaUrl: '', mediaType: 'text', media: [], text, ...more })
}

const status = z.object({
  id: z.string(),
  content: z.string(),
  visibility: z.string(),
  spoiler_text: z.string(),
  sensitive: z.boolean(),
  in_reply_to_id: z.string().nullable(),
  media_attachments: z.array(z.object({ type: z.string(), url: z.string(), description: z.string().nullable() })),
})
export type ShownStatus = z.infer<typeof status>

/** The account's posts as its server lists them, newest first. */
export async function statusesOf(
  server: MastodonServer,
  { account, credentials }: ConnectedMastodon,
): Promise<readonly ShownStatus[]> {
  const id = account.externalId.slice(0, account.externalId.lastIndexOf('@'))
  return z.array(status).parse(await asked(server, credentials, `/api/v1/accounts/${id}/statuses?limit=40`))
}

export async function statusAt(
  server: MastodonServer,
  { credentials }: ConnectedMastodon,
  postId: string,
): Promise<ShownStatus> {
  return status.parse(await asked(server, credentials, `/api/v1/statuses/${postId}`))
}

async function asked(server: MastodonServer, credentials: CredentialStore, path: string): Promise<unknown> {
  const { accessToken = '' } = await credentials.read()
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${accessToken}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}
