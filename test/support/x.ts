import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Test } from 'tap'
import * as z from 'zod'
import type { FetchedComment, ReplyJob } from '../../platforms/kit/conversation.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import { PlatformError, type CredentialStore, type PlatformIo, type PublishJob } from '../../platforms/kit/platform.ts'
import { conversation } from '../../platforms/x/conversation.ts'
import { x } from '../../platforms/x/index.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import { xStandIn } from '../../packages/sandbox/x.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { isoTime, systemClock } from '../../infra/runtime/clock.ts'
import { publish } from './connector.ts'
import { interceptingProxy, type InterceptingProxy } from './intercepting-proxy.ts'
import { box, sample, u32 } from './media-samples.ts'
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

export interface Scene {
  readonly sandbox: Sandbox
  readonly http: Http
  readonly account: SandboxAccount
  readonly credentials: CredentialStore
  readonly io: PlatformIo
  /** Before the stand-in, for what it would not answer by itself; knows the calls made. */
  readonly proxy: InterceptingProxy
  readonly clock: MovableClock
  readonly host: MediaHost
  readonly job: PublishJob
}

export interface MovableClock extends Clock {
  pass(ms: number): void
}

/** A sandbox with one account of X and a post of a picture that is to go out there. */
export async function givenX(t: Test, over: Partial<PublishJob> = {}, label = 'someone'): Promise<Scene> {
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { standIns: [xStandIn], clock })
  const http = givenHttp(t)
  const account = await givenAccount(http, sandbox, 'x', { label })
  const proxy = await interceptingProxy(t, account.baseUrl)
  const host = await mediaHost(t)
  const media = mediaSource({ http, clock: systemClock, directory: tmpdir() })
  const credentials = memoryCredentials(account.credentials)
  const io = ioOf(http, credentials, { media, clock })
  const job: PublishJob = {
    key: crypto.randomUUID(),
    account: { ...accountOf('x', account), baseUrl: proxy.url },
    mediaUrl: host.serve('/picture.jpg', sample('picture.jpg')),
    mediaType: 'image',
    text: 'Hello there #fanfare',
    queuedAt: '2026-03-01T10:00:00.000Z',
    ...over,
  }
  return { sandbox, http, account, credentials, io, proxy, clock, host, job }
}

export function givenVideo(scene: Scene, video: Buffer = sample('clip.mp4')): PublishJob {
  const mediaUrl = scene.host.serve(`/${crypto.randomUUID()}.mp4`, video)
  return { ...scene.job, key: crypto.randomUUID(), mediaType: 'video', mediaUrl }
}

/** Goes on preparing, letting the time pass that the platform asks for. @returns the waits beside the handle */
export async function prepared(scene: Scene, job: PublishJob = scene.job, io: PlatformIo = scene.io) {
  const waits: number[] = []
  let result = await x.prepare(job, io, undefined)
  while (result.outcome === 'processing') {
    waits.push(result.lookAgainMs)
    scene.clock.pass(result.lookAgainMs)
    // What is recorded is read back as plain JSON.
    result = await x.prepare(job, io, JSON.parse(JSON.stringify(result.handle)))
  }
  return { handle: result.handle, waits }
}

export const live = ({ sandbox, account }: Scene) => sandbox.ledger.posts('x', { accountId: account.externalId })

/** Somebody writes to the account, under a post of its or elsewhere. @returns the id of what was written */
export async function givenMention(
  { http, sandbox, account: { externalId: accountId } }: Scene,
  more: { text?: string; author?: string; postId?: string } = {},
): Promise<string> {
  const written = { platform: 'x', accountId, text: 'Hello you', author: 'Ann', ...more }
  const answer = await postJson(http, `${sandbox.url}/_control/comments`, written)
  return z.object({ id: z.string() }).parse(answer.json()).id
}

/** Publishes the scene's post. @returns its id */
export async function givenPost(scene: Scene): Promise<string> {
  const { handle } = await prepared(scene)
  return (await publish(x, scene.job, handle, scene.io)).postId
}

export function replyTo({ job, clock }: Scene, commentId: string, over: Partial<ReplyJob> = {}): ReplyJob {
  const approvedAt = isoTime(clock.now())
  const key = crypto.randomUUID()
  return { key, account: job.account, commentId, references: {}, text: 'Thank you!', approvedAt, ...over }
}

/** All pages of what is fetched. `since` is an hour ago unless told. */
export async function fetched(
  { job, io, clock }: Scene,
  since = isoTime(clock.now() - 3_600_000),
): Promise<readonly FetchedComment[]> {
  const all: FetchedComment[] = []
  for await (const page of conversation.fetch(job.account, since, io)) all.push(...page)
  return all
}

export function fault(script: Pick<FaultScript, 'kind'> & Partial<FaultScript>): FaultScript {
  return { platform: 'x', call: 'publish', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false, ...script }
}

export async function refusal(work: Promise<unknown>): Promise<PlatformError> {
  try {
    await work
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('expected a PlatformError')
}

/** A picture that asks something of the stand-in at its end, where nobody else looks. */
export function pictureThat(asks: string): Buffer {
  return Buffer.concat([sample('picture.jpg'), Buffer.from(`sandbox=${asks}`)])
}

/** A clip that asks something of the stand-in, in a box that players skip. */
export function clipThat(asks: string): Buffer {
  return Buffer.concat([sample('clip.mp4'), box('free', Buffer.from(`sandbox=${asks}`))])
}

/** A clip whose headers say this size and duration. */
export function clipOf(width: number, height: number, seconds: number): Buffer {
  const clip = Buffer.from(sample('clip.mp4'))
  const movie = clip.indexOf('mvhd') + 4
  clip.writeUInt32BE(clip.readUInt32BE(movie + 12) * seconds, movie + 16)
  const track = clip.indexOf('tkhd') + 4
  clip.writeUInt32BE(width * 65_536, track + 76)
  clip.writeUInt32BE(height * 65_536, track + 80)
  return clip
}

/** A GIF of so many one-pixel pictures. */
export function gif(pictures: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const delay = Buffer.from('21f90400000000', 'hex')
  const picture = Buffer.concat([delay, Buffer.from([0]), Buffer.from('2c0000000001000100000202440100', 'hex')])
  return Buffer.concat([head, ...Array.from({ length: pictures }, () => picture), Buffer.from(';')])
}

export interface MediaHost {
  /** @returns the URL at which the content is from here on */
  serve(path: string, content: Buffer | ((response: ServerResponse) => void)): string
}

export async function mediaHost(t: Pick<Test, 'teardown'>): Promise<MediaHost> {
  const files = new Map<string, Buffer | ((response: ServerResponse) => void)>()
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const content = files.get(request.url ?? '')
    if (typeof content === 'function') return content(response)
    response.writeHead(content ? 200 : 404).end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    serve: (path, content) => {
      files.set(path, content)
      return `http://127.0.0.1:${port}${path}`
    },
  }
}

/** Sends a clip of about so many bytes without ever holding them. */
export function largeClip(bytes: number): (response: ServerResponse) => void {
  const clip = sample('clip.mp4')
  const brand = clip.subarray(0, clip.readUInt32BE(0))
  const index = clip.subarray(clip.indexOf('moov') - 4)
  const block = Buffer.alloc(65_536)
  return (response) => {
    const rest = async (): Promise<void> => {
      response.write(Buffer.concat([brand, u32(bytes + 8), Buffer.from('mdat')]))
      for (let left = bytes; left > 0; left -= block.length) {
        if (!response.write(block.subarray(0, Math.min(left, block.length)))) await once(response, 'drain')
      }
      response.end(index)
    }
    rest().catch(() => response.destroy())
  }
}

/** Takes uploads in parts and lets their bytes go as they come. `look` is called in the middle of each part. */
export async function uploadSink(t: Test, look: () => void): Promise<{ readonly url: string; received(): number }> {
  let received = 0
  const { url } = await httpServer(t, (request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      if (bytes < 2_000_000 && bytes + chunk.length >= 2_000_000) look()
      bytes += chunk.length
      received += chunk.length
    })
    request.on('end', () => response.end(JSON.stringify({ data: { id: '1', media_key: '7_1' } })))
  })
  return { url, received: () => received }
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes that are really held: what is only not collected yet comes and goes with the load of the machine. */
export function memoryInUse(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function movableClock(): MovableClock {
  let ahead = 0
  return {
    now: () => systemClock.now() + ahead,
    sleep: systemClock.sleep,
    pass: (ms) => {
      ahead += ms
    },
  }
}
