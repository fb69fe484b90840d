import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import * as z from 'zod'
import type { FetchedComment, ReplyJob } from '../../platforms/kit/conversation.ts'
import { bluesky } from '../../platforms/bluesky/index.ts'
import { COLLECTION, type Reference } from '../../platforms/bluesky/record.ts'
import { tidFor } from '../../platforms/bluesky/tid.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import {
  PlatformError,
  type CredentialStore,
  type Platform,
  type PlatformAccount,
  type PlatformIo,
  type PublishJob,
} from '../../platforms/kit/platform.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { httpServer } from './outbound-servers.ts'
import type { LocalPds } from './pds.ts'
import { givenAccount, ids, memoryCredentials, postJson } from './sandbox.ts'

/** A server of accounts: the reference one, or the sandbox's. Both are asked the same things. */
export interface BlueskyServer {
  readonly name: string
  /** Without a trailing slash. */
  readonly url: string
  createAccount(): Promise<ServerAccount>
}

export interface ServerAccount {
  readonly did: string
  readonly handle: string
  readonly appPassword: string
  /** From here on the app password is refused. */
  revokeAppPassword(): Promise<void>
}

export function referenceServer(pds: LocalPds): BlueskyServer {
  return {
    name: 'the reference server',
    url: pds.url,
    createAccount: async () => {
      const { did, handle, appPassword, agent } = await pds.createAccount(`a${randomBytes(6).toString('hex')}`)
      return {
        did,
        handle,
        appPassword,
        revokeAppPassword: async () => {
          await agent.com.atproto.server.revokeAppPassword({ name: 'fanfare' })
        },
      }
    },
  }
}

export function sandboxServer(sandbox: Sandbox, http: Http): BlueskyServer {
  const url = `${sandbox.url}/bluesky`
  return {
    name: 'the sandbox',
    url,
    createAccount: async () => {
      const { externalId: did, credentials } = await givenAccount(http, sandbox, 'bluesky')
      return {
        did,
        handle: `${did.slice('did:plc:'.length)}.test`,
        appPassword: credentials['appPassword'] ?? '',
        revokeAppPassword: async () => {
          const account = sandbox.ledger.account('bluesky', did)
          if (!account) throw new Error('the account is not in the ledger')
          sandbox.ledger.saveAccount({ ...account, secrets: { ...account.secrets, appPassword: 'another' } })
        },
      }
    },
  }
}

/** An account connected through the connector, with what a publish needs. */
export interface Connected {
  readonly account: PlatformAccount
  readonly credentials: CredentialStore
  readonly io: PlatformIo
}

/** @param baseUrl where it is connected through; the server itself, or a proxy before it */
export async function connected(
  http: Http,
  { did, appPassword }: ServerAccount,
  baseUrl: string,
  platform: Platform = bluesky,
): Promise<Connected> {
  const given = { identifier: did, appPassword }
  const media = mediaSource({ http, clock: systemClock, directory: tmpdir() })
  const io = { http, media, clock: systemClock, signal: AbortSignal.timeout(60_000) }
  const { externalId, credentials: stored } = await platform.connect(given, baseUrl, io)
  const credentials = memoryCredentials(stored)
  const account = { id: resourceId('acc', ids.ulid()), platform: 'bluesky', externalId, baseUrl } as const
  return { account, credentials, io: { ...io, credentials } }
}

export function jobOf(account: PlatformAccount, more: Partial<PublishJob> = {}): PublishJob {
  return {
    key: randomUUID(),
    account,
    mediaUrl: 'https://media.example/picture.jpg',
    mediaType: 'image',
    text: 'A picture',
    queuedAt: new Date().toISOString(),
    ...more,
  }
}

export function replyJobOf(account: PlatformAccount, comment: FetchedComment, more: Partial<ReplyJob> = {}): ReplyJob {
  return {
    key: randomUUID(),
    account,
    commentId: comment.id,
    references: comment.references,
    text: 'Thank you',
    approvedAt: new Date().toISOString(),
    ...more,
  }
}

/**
 * Writes a post by hand, as another program of the account's owner would.
 *
 * @param createdAt ISO 8601
 */
export async function writePost(
  http: Http,
  { account, credentials }: Connected,
  record: object,
  createdAt = new Date().toISOString(),
): Promise<Reference> {
  const { accessJwt = '' } = await credentials.read()
  const body = {
    repo: account.externalId,
    collection: COLLECTION,
    rkey: tidFor(randomUUID(), createdAt),
    record: { $type: COLLECTION, createdAt, ...record },
  }
  const headers = { authorization: `Bearer ${accessJwt}` }
  const response = await postJson(http, `${account.baseUrl}/xrpc/com.atproto.repo.putRecord`, body, headers)
  return z.object({ uri: z.string(), cid: z.string() }).parse(response.json())
}

const stored = z.object({ uri: z.string(), cid: z.string(), value: z.record(z.string(), z.unknown()) })
export type Stored = z.infer<typeof stored>

/** The account's posts as anyone can read them, newest first. */
export async function postsOf(http: Http, server: BlueskyServer, did: string): Promise<readonly Stored[]> {
  const query = new URLSearchParams({ repo: did, collection: 'app.bsky.feed.post', limit: '100' })
  const response = await http.request(`${server.url}/xrpc/com.atproto.repo.listRecords?${query}`)
  return z.object({ records: z.array(stored) }).parse(response.json()).records
}

/** The refusal of something that must fail. */
export async function platformError(work: Promise<unknown>): Promise<PlatformError> {
  try {
    await work
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('expected a PlatformError')
}

const sample = (name: string): Promise<Buffer> => readFile(join(packageRoot(), 'packages/sandbox/media', name))

/** A picture of so many bytes: what comes after the image's end is ignored by all who look at it. */
export async function imageOf(bytes: number): Promise<Buffer> {
  const image = await sample('sample.jpg')
  return Buffer.concat([image, Buffer.alloc(bytes - image.length)])
}

export interface MediaHost {
  /** `http://127.0.0.1:port`; has `/sample.jpg` and `/sample.mp4`. */
  readonly url: string
  /** What a path answers from here on. */
  serve(path: string, content: Buffer): void
}

/** Where the media of posts are fetched from, closed with the test. */
export async function mediaHost(t: Test): Promise<MediaHost> {
  const files = new Map([
    ['/sample.jpg', await sample('sample.jpg')],
    ['/sample.mp4', await sample('sample.mp4')],
  ])
  const { url } = await httpServer(t, (request, response) => {
    const content = files.get(request.url ?? '')
    response.writeHead(content ? 200 : 404).end(content)
  })
  return { url, serve: (path, content) => void files.set(path, content) }
}
