import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Test } from 'tap'
import { HttpFailure, type Http, type HttpRequest, type HttpResponse } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type { PlatformIo, PublishHandle, PublishJob } from '../../platforms/kit/platform.ts'
import { threads } from '../../platforms/threads/index.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import { threadsStandIn } from '../../packages/sandbox/threads.ts'
import { faultOf, preparedBy } from './meta.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer, type Listening } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, ioOf, memoryCredentials } from './sandbox.ts'

export { refusal as errorOf } from './meta.ts'

export const fault = (script: Partial<FaultScript> & Pick<FaultScript, 'kind'>): FaultScript =>
  faultOf('threads', script)

/** A sandbox with one Threads account, and an image and a video that are to go out there. */
export async function givenScene(t: Test) {
  const http = givenHttp(t)
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { clock, standIns: [threadsStandIn] })
  const account = await givenAccount(http, sandbox, 'threads', { label: 'ada' })
  const image: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('threads', account),
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Golden hour 🌄\nThe light changes fast & more\n\n#hills #light',
    queuedAt: '2026-03-01T10:00:00.000Z',
  }
  const video: PublishJob = { ...image, mediaUrl: `${sandbox.url}/media/sample.mp4`, mediaType: 'video' }
  const credentials = memoryCredentials(account.credentials)
  const media = mediaSource({ http, clock, directory: t.testdir() })
  const io = ioOf(http, credentials, { media, clock })
  return {
    sandbox,
    clock,
    http,
    account,
    credentials,
    io,
    image,
    video,
    live: () => sandbox.ledger.posts('threads'),
    /** The image, with what the stand-in is to do otherwise. */
    scripted: (script: string): PublishJob => ({ ...image, mediaUrl: `${image.mediaUrl}?sandbox=${script}` }),
  }
}
export type Scene = Awaited<ReturnType<typeof givenScene>>

/** Prepares as the service does, letting the time pass that Threads asks for. */
export async function prepared(
  { clock }: Pick<Scene, 'clock'>,
  job: PublishJob,
  io: PlatformIo,
  earlier?: PublishHandle,
): Promise<{ handle: PublishHandle; looks: readonly number[] }> {
  const { handle, waits } = await preparedBy(threads, { io, clock }, job, earlier)
  return { handle, looks: waits }
}

/** The client, with every request noted, and some answered otherwise. */
export function watched(
  http: Http,
  instead: (call: string, ask: () => Promise<HttpResponse>) => Promise<HttpResponse> = (_, ask) => ask(),
) {
  const calls: string[] = []
  const request = (url: string, request?: HttpRequest) => {
    const path = new URL(url).pathname.replace('/threads', '').replace('/v1.0', '')
    const call = `${request?.method ?? 'GET'} ${path.replaceAll(/\d{9,}/g, ':id')}`
    calls.push(call)
    return instead(call, () => http.request(url, request))
  }
  return { calls, http: { ...http, request } satisfies Http }
}

export function answering(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const json = (): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      throw new HttpFailure('malformed', 'no JSON', true)
    }
  }
  return { status, headers, body: Buffer.from(text), text: () => text, json }
}

/** The sample video, and then so many zeros in a box that players skip. */
export async function largeVideoHost(t: Test, zeros: number): Promise<Listening> {
  const video = await readFile(new URL('../../packages/sandbox/media/sample.mp4', import.meta.url))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(zeros + 8)
  return httpServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': video.length + 8 + zeros })
    const parts = function* (): Generator<Buffer> {
      yield Buffer.concat([video, size, Buffer.from('free')])
      const block = Buffer.alloc(65_536)
      for (let left = zeros; left > 0; left -= block.length) yield block.subarray(0, left)
    }
    void pipeline(Readable.from(parts()), response).catch(() => undefined)
  })
}
