import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Test } from 'tap'
import { HttpFailure, type Http, type HttpRequest, type HttpResponse } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import { pinterest } from '../../platforms/pinterest/index.ts'
import { PlatformError, type PlatformIo, type PublishHandle, type PublishJob } from '../../platforms/kit/platform.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { LedgerPost } from '../../packages/sandbox/ledger.ts'
import { pinterestStandIn } from '../../packages/sandbox/pinterest.ts'
import { digits } from '../../packages/sandbox/pinterest/ids.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { box } from './media-samples.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer, type Listening } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, ids, ioOf, memoryCredentials } from './sandbox.ts'

const sampleVideo = readFile(new URL('../../packages/sandbox/media/sample.mp4', import.meta.url))

/** The sample video of 4 s, with something at its end that players skip. `/video?end=sandbox=failed`, `/video?zeros=200000000` */
export async function videoHost(t: Test): Promise<Listening> {
  const video = await sampleVideo
  return httpServer(t, (request, response) => {
    const query = new URL(request.url ?? '', 'http://host').searchParams
    const zeros = Number(query.get('zeros') ?? 0)
    const end = box('free', Buffer.from(query.get('end') ?? ''))
    const size = Buffer.alloc(4)
    size.writeUInt32BE(zeros + 8)
    const head = zeros > 0 ? Buffer.concat([size, Buffer.from('free')]) : Buffer.alloc(0)
    response.writeHead(200, { 'content-length': video.length + head.length + zeros + end.length })
    const parts = function* (): Generator<Buffer> {
      yield video
      yield head
      const block = Buffer.alloc(65_536)
      for (let left = zeros; left > 0; left -= block.length) yield block.subarray(0, left)
      yield end
    }
    void pipeline(Readable.from(parts()), response).catch(() => undefined)
  })
}

/** A sandbox with one Pinterest account and an image that is to go out there. */
export async function givenScene(t: Test, { http = givenHttp(t) }: { readonly http?: Http } = {}) {
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { clock, standIns: [pinterestStandIn] })
  const account = await givenAccount(http, sandbox, 'pinterest')
  const image: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('pinterest', account),
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Golden hour 🌄\nThe light changes fast & more\n\n#hills #light',
    queuedAt: '2026-03-01T10:00:00.000Z',
  }
  const media = mediaSource({ http, clock, directory: t.testdir() })
  const credentials = memoryCredentials(account.credentials)
  const io = ioOf(http, credentials, { media, clock })
  return {
    sandbox,
    clock,
    http,
    account,
    credentials,
    io,
    image,
    live: (): readonly LedgerPost[] => sandbox.ledger.posts('pinterest'),
    script: (fault: Partial<FaultScript> & Pick<FaultScript, 'kind'>) =>
      sandbox.faults.script({
        platform: 'pinterest',
        call: 'publish',
        times: 1,
        delayMs: 0,
        retryAfterSeconds: 30,
        accepted: false,
        ...fault,
      }),
  }
}
export type Scene = Awaited<ReturnType<typeof givenScene>>

/** A Pin that is on the account's board, however it came there. @returns its id */
export function givenPin(
  { sandbox, account, clock, image }: Pick<Scene, 'sandbox' | 'account' | 'clock' | 'image'>,
  more: Partial<LedgerPost> = {},
): string {
  const createdAt = isoTime(clock.now())
  const pin: LedgerPost = {
    id: digits(ids),
    platform: 'pinterest',
    accountId: account.externalId,
    caption: image.text,
    mediaUrl: image.mediaUrl,
    mediaType: 'image',
    createdAt,
    details: { boardId: account.credentials['boardId'], listedFrom: createdAt },
    ...more,
  }
  sandbox.ledger.addPost(pin)
  return pin.id
}

/** Prepares as the service does, letting the time pass that Pinterest asks for. @returns each time it asked for, too */
export async function prepared(
  scene: Pick<Scene, 'clock'>,
  job: PublishJob,
  io: PlatformIo,
  earlier?: PublishHandle,
): Promise<{ handle: PublishHandle; looks: readonly number[] }> {
  const looks: number[] = []
  for (let known = earlier; ;) {
    const answer = await pinterest.prepare(job, io, known)
    known = JSON.parse(JSON.stringify(answer.handle)) as PublishHandle
    if (answer.outcome === 'ready') return { handle: known, looks }
    looks.push(answer.lookAgainMs)
    await scene.clock.advanceTo(scene.clock.now() + answer.lookAgainMs)
  }
}

export async function errorOf(work: Promise<unknown>): Promise<PlatformError> {
  try {
    await work
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('expected a failure')
}

/** The client, with every request noted, and some answered otherwise. */
export function watched(
  http: Http,
  instead: (call: string, ask: () => Promise<HttpResponse>, url: string) => Promise<HttpResponse> = (_, ask) => ask(),
) {
  const calls: string[] = []
  const request = (url: string, request?: HttpRequest) => {
    const call = `${request?.method ?? 'GET'} ${new URL(url).pathname.replace('/pinterest', '').replace(/\d{9,}/, ':id')}`
    calls.push(call)
    return instead(call, () => http.request(url, request), url)
  }
  return { calls, http: { ...http, request } satisfies Http }
}

export function answering(response: HttpResponse, over: { status?: number; headers?: object; body?: unknown }) {
  const text = typeof over.body === 'string' ? over.body : JSON.stringify(over.body ?? response.json())
  return {
    status: over.status ?? response.status,
    headers: { ...over.headers } as Record<string, string>,
    body: Buffer.from(text),
    text: () => text,
    json: (): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        throw new HttpFailure('malformed', 'the response is not JSON', true)
      }
    },
  } satisfies HttpResponse
}
