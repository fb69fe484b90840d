import { createServer } from 'node:http'
import type { Test } from 'tap'
import { googlebusiness } from '../../platforms/googlebusiness/index.ts'
import type { Http, HttpRequest, HttpResponse } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import { PlatformError, type PlatformIo, type PublishJob } from '../../platforms/kit/platform.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import { googlebusinessStandIn } from '../../packages/sandbox/googlebusiness.ts'
import type { LedgerPost } from '../../packages/sandbox/ledger.ts'
import { movableClock } from './movable-clock.ts'
import { listening } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, ioOf, memoryCredentials } from './sandbox.ts'

export function fault(script: Partial<FaultScript> & Pick<FaultScript, 'kind'>): FaultScript {
  return {
    platform: 'googlebusiness',
    call: 'publish',
    times: 1,
    delayMs: 0,
    retryAfterSeconds: 30,
    accepted: false,
    ...script,
  }
}

/** A sandbox with one location and an image that is to go out there. */
export async function givenScene(t: Test) {
  const http = givenHttp(t)
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { clock, standIns: [googlebusinessStandIn] })
  const account = await givenAccount(http, sandbox, 'googlebusiness', { label: 'The Corner Shop' })
  const media = mediaSource({ http, clock, directory: t.testdir() })
  const connected = await googlebusiness.connect(account.credentials, account.baseUrl, {
    http,
    media,
    clock,
    signal: AbortSignal.timeout(60_000),
  })
  const image: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('googlebusiness', account),
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Open until nine 🕘\nCome in & say hello\n\n#shop',
    queuedAt: '2026-03-01T10:00:00.000Z',
  }
  const credentials = memoryCredentials(connected.credentials)
  return {
    sandbox,
    clock,
    http,
    account,
    connected,
    credentials,
    io: ioOf(http, credentials, { media, clock }),
    image,
    live: (): readonly LedgerPost[] => sandbox.ledger.posts('googlebusiness'),
    /** The image, with what the stand-in is to do about it. */
    scripted: (script: string): PublishJob => ({ ...image, mediaUrl: `${image.mediaUrl}?sandbox=${script}` }),
    pass: (seconds: number) => clock.advanceTo(clock.now() + seconds * 1_000),
  }
}
export type Scene = Awaited<ReturnType<typeof givenScene>>

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
  instead: (call: string, ask: () => Promise<HttpResponse>) => Promise<HttpResponse> = (_, ask) => ask(),
) {
  const calls: string[] = []
  const request = (url: string, request?: HttpRequest) => {
    const path = new URL(url).pathname.replace('/googlebusiness', '').replaceAll(/\d{9,}/g, ':id')
    const call = `${request?.method ?? 'GET'} ${path}`
    calls.push(call)
    return instead(call, () => http.request(url, request))
  }
  return { calls, http: { ...http, request } satisfies Http }
}

/** The same work, with every call of Google's answered by a server that says this alone. */
export async function answeredWith(
  t: Test,
  io: PlatformIo,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly io: PlatformIo; readonly baseUrl: string }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const server = createServer((_request, response) => void response.writeHead(status, headers).end(text))
  return { io, baseUrl: (await listening(t, server)).url }
}
