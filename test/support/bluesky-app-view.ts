import type { IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import * as z from 'zod'
import { httpServer } from './outbound-servers.ts'

export interface Author {
  readonly did: string
  readonly handle: string
  readonly displayName?: string
}

/** One thing that an account is told of. */
export interface Notice {
  readonly uri: string
  readonly cid: string
  readonly author: Author
  readonly reason: string
  readonly reasonSubject?: string
  /** ISO 8601. Default: now. */
  readonly indexedAt?: string
  /** Instead of what its writer's server has: a shape that no server takes, or too many to write them all. */
  readonly record?: unknown
}

export interface AppView {
  readonly url: string
  readonly did: string
  /** The last part of the path of every request so far. */
  readonly calls: readonly string[]
  /** Where the records are. */
  readFrom(pdsUrl: string): void
  tell(did: string, notice: Notice): void
  /** From here on this is what a post's thread is shown as. */
  show(uri: string, as: 'blocked' | 'replies-off'): void
  /** From here on the method is answered so. */
  answer(nsid: string, how: (query: URLSearchParams) => object): void
}

const DID = 'did:web:appview.test'
const claimsSchema = z.object({ iss: z.string(), aud: z.literal(DID), lxm: z.string() })
const limitSchema = z.coerce.number().int().min(1).max(100)

/**
 * What the app knows, for a server of accounts that passes `app.bsky.*` on to it: notifications as it is told of them, and
 * single posts. Each is read at its writer's server when it is asked for, so that what was deleted there is gone here, and
 * a page then shorter than asked for. Closed with the test.
 */
export async function startAppView(t: Test): Promise<AppView> {
  const calls: string[] = []
  const told = new Map<string, Notice[]>()
  const shown = new Map<string, 'blocked' | 'replies-off'>()
  const answers = new Map<string, (query: URLSearchParams) => object>()
  let pdsUrl = ''

  const recordOf = async ({ uri, record }: Notice): Promise<unknown> => {
    if (record !== undefined) return record
    const [, , repo = '', collection = '', rkey = ''] = uri.split('/')
    const query = new URLSearchParams({ repo, collection, rkey })
    const answer = await fetch(`${pdsUrl}/xrpc/com.atproto.repo.getRecord?${query}`)
    return answer.ok ? z.object({ value: z.unknown() }).parse(await answer.json()).value : undefined
  }

  const listNotifications = async (viewer: string, query: URLSearchParams): Promise<Answer> => {
    const limit = limitSchema.safeParse(query.get('limit') ?? 50)
    if (!limit.success) return [400, { error: 'InvalidRequest', message: 'limit must be between 1 and 100' }]
    const reasons = query.getAll('reasons')
    const all = [...(told.get(viewer) ?? [])]
      .filter(({ reason }) => reasons.length === 0 || reasons.includes(reason))
      .sort((one, other) => (at(one) < at(other) ? 1 : -1))
    const start = Number(query.get('cursor') ?? 0)
    const asked = all.slice(start, start + limit.data)
    const page = await Promise.all(
      asked.map(async (notice) => ({
        ...notice,
        record: await recordOf(notice),
        isRead: false,
        indexedAt: at(notice),
      })),
    )
    const end = start + asked.length
    const notifications = page.filter(({ record }) => record !== undefined)
    return [200, { notifications, ...(end < all.length && { cursor: String(end) }) }]
  }

  const getPostThread = async (query: URLSearchParams): Promise<Answer> => {
    const uri = query.get('uri') ?? ''
    const notice = [...told.values()].flat().find((one) => one.uri === uri)
    const record = notice && (await recordOf(notice))
    if (!notice || record === undefined) return [400, { error: 'NotFound', message: `Post not found: ${uri}` }]
    const { cid, author } = notice
    if (shown.get(uri) === 'blocked') {
      const thread = { $type: 'app.bsky.feed.defs#blockedPost', uri, blocked: true, author: { did: author.did } }
      return [200, { thread }]
    }
    const viewer = shown.get(uri) === 'replies-off' ? { replyDisabled: true } : {}
    const post = { uri, cid, author, record, indexedAt: at(notice), viewer }
    return [200, { thread: { $type: 'app.bsky.feed.defs#threadViewPost', post } }]
  }

  const { url } = await httpServer(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app')
    const method = pathname.slice('/xrpc/'.length)
    calls.push(method.slice(method.lastIndexOf('.') + 1))
    const viewer = viewerOf(request, method)
    const answering = (): Promise<Answer> => {
      if (viewer === undefined) return Promise.resolve([401, { error: 'BadJwt', message: 'not the service token' }])
      if (method === 'app.bsky.notification.listNotifications') return listNotifications(viewer, searchParams)
      if (method === 'app.bsky.feed.getPostThread') return getPostThread(searchParams)
      const answer = answers.get(method)
      if (answer) return Promise.resolve([200, answer(searchParams)])
      return Promise.resolve([501, { error: 'MethodNotImplemented', message: method }])
    }
    void answering().then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })

  return {
    url,
    did: DID,
    calls,
    readFrom: (from) => {
      pdsUrl = from
    },
    tell: (did, notice) => {
      const indexedAt = notice.indexedAt ?? new Date().toISOString()
      told.set(did, [...(told.get(did) ?? []), { ...notice, indexedAt }])
    },
    show: (uri, as) => void shown.set(uri, as),
    answer: (nsid, how) => void answers.set(nsid, how),
  }
}

type Answer = readonly [status: number, body: object]

function at({ indexedAt = '' }: Notice): string {
  return indexedAt
}

/** Whom the token is for that the server of accounts has made for this call, and for no other. */
function viewerOf({ headers }: IncomingMessage, method: string): string | undefined {
  const payload = (headers.authorization ?? '').split('.')[1] ?? ''
  try {
    const claims = claimsSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    return claims.lxm === method ? claims.iss : undefined
  } catch {
    return undefined
  }
}
