import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { MediaType } from '../../domain/core/platform.ts'
import type { FetchedComment, ReplyJob } from '../../platforms/kit/conversation.ts'
import { linkedin } from '../../platforms/linkedin/index.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import {
  PlatformError,
  type CredentialStore,
  type PlatformIo,
  type Prepared,
  type PublishHandle,
  type PublishJob,
} from '../../platforms/kit/platform.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { LedgerComment } from '../../packages/sandbox/ledger.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import { linkedinStandIn } from '../../packages/sandbox/linkedin.ts'
import { number } from '../../packages/sandbox/linkedin/identity.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import { publish } from './connector.ts'
import { interceptingProxy, type InterceptingProxy } from './intercepting-proxy.ts'
import { box } from './media-samples.ts'
import { httpServer } from './outbound-servers.ts'
import {
  accountOf,
  givenAccount,
  givenHttp,
  givenSandbox,
  ioOf,
  memoryCredentials,
  postJson,
  type SandboxAccount,
} from './sandbox.ts'
import { virtualClock, type VirtualClock } from './virtual-clock.ts'

export const MEMBER = 'urn:li:person:Ab_12-x'

export interface Scene {
  readonly sandbox: Sandbox
  readonly http: Http
  readonly clock: VirtualClock
  /** Stands before the sandbox, so that single answers can be others. Upload URLs lead past it. */
  readonly proxy: InterceptingProxy
  readonly account: SandboxAccount
  readonly store: CredentialStore
  readonly io: PlatformIo
  readonly job: PublishJob
  /** Where media are spooled to. */
  readonly directory: string
  /** The job with other media, served from here. */
  withMedia(
    media: Buffer | ((request: IncomingMessage, response: ServerResponse) => void),
    type?: MediaType,
  ): PublishJob
}

/** A sandbox with one author of LinkedIn, a page unless it is said otherwise, and a post that is to go out. */
export async function givenScene(t: Test, author?: string): Promise<Scene> {
  const clock = virtualClock(Date.UTC(2026, 8, 10, 12))
  const sandbox = await givenSandbox(t, { clock, standIns: [linkedinStandIn] })
  const http = givenHttp(t)
  const proxy = await interceptingProxy(t, sandbox.url)
  const given = await givenAccount(http, sandbox, 'linkedin', author === undefined ? {} : { externalId: author })
  const account = { ...given, baseUrl: `${proxy.url}/linkedin` }
  const directory = join(t.testdir(), 'spool')
  const store = memoryCredentials(account.credentials)
  const io = ioOf(http, store, { clock, media: mediaSource({ http, clock, directory }) })
  const job: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('linkedin', account),
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Hello (there) #fanfare',
    queuedAt: isoTime(clock.now()),
  }
  const withMedia: Scene['withMedia'] = (media, mediaType = 'image') => {
    const path = `/${crypto.randomUUID()}`
    files.set(path, media)
    return { ...job, key: crypto.randomUUID(), mediaUrl: host.url + path, mediaType }
  }
  const files = new Map<string, Parameters<Scene['withMedia']>[0]>()
  const host = await httpServer(t, (request, response) => {
    const found = files.get(request.url ?? '')
    if (typeof found === 'function') return found(request, response)
    response.writeHead(found ? 200 : 404).end(found)
  })
  return { sandbox, http, clock, proxy, account, store, io, job, directory, withMedia }
}

type SampleName = 'sample.jpg' | 'sample.mp4' | 'sample.pdf'

export function mediaFile(name: SampleName): Buffer {
  return readFileSync(join(packageRoot(), 'packages/sandbox/media', name))
}

/** A file that asks something of the stand-in by its last bytes. */
export function scripted(name: SampleName, script: string): Buffer {
  const words = Buffer.from(`sandbox=${script}`)
  return Buffer.concat([mediaFile(name), name === 'sample.mp4' ? box('free', words) : words])
}

/** Prepares a post until it is ready, letting pass what time is asked for. */
export async function ready(job: PublishJob, { io, clock }: Scene): Promise<PublishHandle> {
  return (await looks(job, io, clock)).handle
}

/** The same, with the pauses that were asked for (ms). */
export async function looks(
  job: PublishJob,
  io: PlatformIo,
  clock: VirtualClock,
): Promise<{ handle: PublishHandle; pauses: readonly number[] }> {
  const pauses: number[] = []
  let handle: PublishHandle | undefined
  for (;;) {
    // As it comes back from the log.
    const recorded = handle && (JSON.parse(JSON.stringify(handle)) as PublishHandle)
    const prepared: Prepared = await linkedin.prepare(job, io, recorded)
    handle = prepared.handle
    if (prepared.outcome === 'ready') return { handle, pauses }
    pauses.push(prepared.lookAgainMs)
    await clock.advanceTo(clock.now() + prepared.lookAgainMs)
  }
}

export async function refusal(work: Promise<unknown> | undefined): Promise<PlatformError> {
  try {
    await work
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('expected a PlatformError')
}

export const live = ({ sandbox, account }: Scene) => sandbox.ledger.posts('linkedin', { accountId: account.externalId })

export function script({ sandbox }: Pick<Scene, 'sandbox'>, fault: Pick<FaultScript, 'kind'> & Partial<FaultScript>) {
  const usual = { times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false }
  sandbox.faults.script({ platform: 'linkedin', call: 'publish', ...usual, ...fault })
}

/** An error as LinkedIn words it. */
export function answer(status: number, body: object = {}, headers: Record<string, string> = {}) {
  return { kind: 'answer', status, headers, body: JSON.stringify({ status, ...body }) } as const
}

/** Lets the page's token see what happens to the page, too. */
export function grantNews({ sandbox, account }: Scene): void {
  const known = sandbox.ledger.account('linkedin', account.externalId)
  if (!known) throw new Error('no account')
  const scope = 'openid profile w_organization_social r_organization_social rw_organization_admin'
  sandbox.ledger.saveAccount({ ...known, secrets: { ...known.secrets, scope } })
}

/** A post that is live. @returns its URN */
export async function givenPost(scene: Scene): Promise<string> {
  const job = { ...scene.job, key: crypto.randomUUID() }
  return (await publish(linkedin, job, await ready(job, scene), scene.io)).postId
}

/** What a fan writes: under a post, or in one of their own that mentions the page. @returns its URN */
export async function fan({ http, sandbox, account }: Scene, text: string, postId?: string): Promise<string> {
  const body = { platform: 'linkedin', accountId: account.externalId, author: 'Ada', text, postId }
  return ((await postJson(http, `${sandbox.url}/_control/comments`, body)).json() as { id: string }).id
}

/** A reply that is written on LinkedIn itself, by a fan or in the page's name. @returns its URN */
export function onLinkedIn(
  { sandbox, clock, account }: Scene,
  inReplyTo: string,
  text: string,
  writtenBy: LedgerComment['writtenBy'] = 'fan',
): string {
  const thread = sandbox.ledger.comment('linkedin', inReplyTo)
  const id = inReplyTo.replace(/,\d+\)$/, `,${number(crypto.randomUUID())})`)
  sandbox.ledger.addComment({
    id,
    platform: 'linkedin',
    accountId: account.externalId,
    ...(thread?.postId !== undefined && { postId: thread.postId }),
    inReplyTo,
    writtenBy,
    author: 'Bob',
    text,
    createdAt: isoTime(clock.now()),
  })
  return id
}

/** All that is new since a time, by default since ever. */
export async function fetched({ job, io }: Scene, since = 0): Promise<readonly FetchedComment[]> {
  const all: FetchedComment[] = []
  for await (const page of linkedin.conversation?.fetch(job.account, isoTime(since), io) ?? []) all.push(...page)
  return all
}

/** A reply that is decided on now. */
export function replyTo({ job, clock }: Scene, commentId: string, postUrn: string, text = 'Thank you'): ReplyJob {
  const approvedAt = isoTime(clock.now())
  return { key: crypto.randomUUID(), account: job.account, commentId, references: { postUrn }, text, approvedAt }
}

/** What the account has answered so far. */
export const answers = ({ sandbox, account }: Scene) =>
  sandbox.ledger.commentsOf('linkedin', account.externalId).filter(({ writtenBy }) => writtenBy === 'account')
