import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import type { Test } from 'tap'
import { HttpFailure, type Http, type HttpRequest, type HttpResponse } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type {
  CredentialStore,
  PlatformErrorKind,
  PlatformIo,
  PublishHandle,
  PublishJob,
} from '../../platforms/kit/platform.ts'
import { youtube } from '../../platforms/youtube/index.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import type { LedgerComment, LedgerPost } from '../../packages/sandbox/ledger.ts'
import { youtubeStandIn } from '../../packages/sandbox/youtube.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer } from './outbound-servers.ts'
import {
  accountOf,
  givenAccount,
  givenHttp,
  givenSandbox,
  ioOf,
  memoryCredentials,
  type SandboxAccount,
} from './sandbox.ts'
import type { VirtualClock } from './virtual-clock.ts'

export const MIB = 1024 * 1024
export const CLIP = await readFile(join(packageRoot(), 'packages/sandbox/media', 'sample.mp4'))
export const PICTURE = await readFile(join(packageRoot(), 'packages/sandbox/media', 'sample.jpg'))

/** An answer or a failure instead of what the platform would say; nothing: it is asked. */
export type Intercept = (url: URL, request: HttpRequest) => Promise<HttpResponse | undefined> | HttpResponse | undefined

export interface Scene {
  readonly sandbox: Sandbox
  readonly http: Http
  readonly clock: VirtualClock
  readonly account: SandboxAccount
  readonly store: CredentialStore
  readonly io: PlatformIo
  readonly job: PublishJob
  /** Where media are while they are looked at. */
  readonly directory: string
  /** `PUT /upload/youtube/v3/videos bytes 0-143/144`, in order. */
  readonly calls: string[]
  /** What meets every call to YouTube from here on. */
  intercept(by: Intercept | undefined): void
  fault(script: Partial<FaultScript> & Pick<FaultScript, 'kind'>): void
  live(): readonly LedgerPost[]
}

/** A channel connected through the connector, and a video that is to go out there. */
export async function givenChannel(
  t: Test,
  options: {
    readonly text?: string
    readonly settings?: Readonly<Record<string, string>>
    readonly mediaUrl?: string
  } = {},
): Promise<Scene> {
  const { text = 'A walk\n\nin the park #fanfare', settings = {} } = options
  const clock = movableClock()
  const sandbox = await givenSandbox(t, { clock, standIns: [youtubeStandIn] })
  const plain = givenHttp(t)
  const calls: string[] = []
  let by: Intercept | undefined
  const http: Http = {
    ...plain,
    request: async (url, request = {}) => {
      const { pathname } = new URL(url)
      const range = request.headers?.['content-range']
      calls.push(
        [request.method, pathname.replace('/youtube', ''), range].filter((part) => part !== undefined).join(' '),
      )
      const instead = await by?.(new URL(url), request)
      if (instead && request.body instanceof Readable) request.body.destroy()
      return instead ?? plain.request(url, request)
    },
  }
  const account = await givenAccount(plain, sandbox, 'youtube', { label: 'Park Walks' })
  const directory = join(t.testdir(), 'spool')
  const bare = {
    http,
    media: mediaSource({ http: plain, clock, directory }),
    clock,
    signal: AbortSignal.timeout(60_000),
  }
  const { credentials } = await youtube.connect({ ...account.credentials, ...settings }, account.baseUrl, bare)
  calls.length = 0
  const store = memoryCredentials(credentials)
  return {
    sandbox,
    http,
    clock,
    account,
    store,
    io: ioOf(http, store, bare),
    job: {
      key: crypto.randomUUID(),
      account: accountOf('youtube', account),
      mediaUrl: options.mediaUrl ?? `${sandbox.url}/media/sample.mp4`,
      mediaType: 'video',
      text,
      queuedAt: '2026-03-01T10:00:00.000Z',
    },
    directory,
    calls,
    intercept: (next) => {
      by = next
    },
    fault: (script) =>
      sandbox.faults.script({
        platform: 'youtube',
        call: 'publish',
        times: 1,
        delayMs: 0,
        retryAfterSeconds: 30,
        accepted: false,
        ...script,
      }),
    live: () => sandbox.ledger.posts('youtube', { accountId: account.externalId }),
  }
}

/** Publishes, and looks again as often as the platform asks for, letting that time pass. */
export async function settle({ job, io, clock }: Scene, handle: PublishHandle, looks: number[] = []) {
  for (;;) {
    const publishing = await youtube.publish(job, handle, io)
    if (publishing.outcome === 'published') return publishing.published
    looks.push(publishing.lookAgainMs)
    await clock.advanceTo(clock.now() + publishing.lookAgainMs)
  }
}

export function later({ clock }: Scene, ms: number): Promise<void> {
  return clock.advanceTo(clock.now() + ms)
}

export const failure = (kind: PlatformErrorKind) => ({ name: 'PlatformError', kind })

export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const json = (): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      throw new HttpFailure('malformed', 'the response is not JSON', true)
    }
  }
  return { status, headers, body: Buffer.from(text), text: () => text, json }
}

export const googleError = (reason: string, message = `said ${reason}`) => ({
  error: { code: 400, message, errors: [{ domain: 'global', reason, message }] },
})

export const isChunk = ({ headers = {} }: HttpRequest) => /^bytes \d/.test(headers['content-range'] ?? '')
export const isProbe = ({ headers = {} }: HttpRequest) => (headers['content-range'] ?? '').startsWith('bytes */')
/** Whether it is the chunk that makes the video. */
export const isLast = ({ headers = {} }: HttpRequest) => {
  const [, last, all] = /^bytes \d+-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  return last !== undefined && Number(last) + 1 === Number(all)
}

/** A video of so many bytes, made while it is sent: behind the clip lies a box that players skip. */
export async function hostOfVideo(t: Test, bytes: number): Promise<{ readonly url: string; readonly sha256: string }> {
  const filler = Buffer.alloc(bytes - CLIP.length - 8 > 0 ? 65_536 : 0, 'fanfare')
  const head = Buffer.alloc(8)
  head.writeUInt32BE(bytes - CLIP.length)
  head.write('free', 4, 'latin1')
  const parts = function* (): Generator<Buffer> {
    yield CLIP
    yield head
    for (let left = bytes - CLIP.length - 8; left > 0; left -= filler.length) yield filler.subarray(0, left)
  }
  const hash = createHash('sha256')
  for (const part of parts()) hash.update(part)
  const { url } = await httpServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': bytes, 'content-type': 'video/mp4' })
    pipeline(Readable.from(parts(), { objectMode: false }), response, () => {})
  })
  return { url: `${url}/video.mp4`, sha256: hash.digest('hex') }
}

/** A video that is on the channel, however it came there. */
export function givenVideo(
  { sandbox, account, clock }: Pick<Scene, 'sandbox' | 'account' | 'clock'>,
  id = 'a_video_001',
  more: Partial<LedgerPost> = {},
): string {
  sandbox.ledger.addPost({
    id,
    platform: 'youtube',
    accountId: account.externalId,
    caption: 'A walk',
    mediaUrl: 'https://media.example/a.mp4',
    mediaType: 'video',
    createdAt: isoTime(clock.now()),
    details: {
      title: 'A walk',
      categoryId: '22',
      privacyStatus: 'public',
      madeForKids: false,
      notifySubscribers: true,
    },
    ...more,
  })
  return id
}

/** A comment that was written so long ago (ms), by a fan where nothing else is said. */
export function wrote(
  { sandbox, account, clock }: Pick<Scene, 'sandbox' | 'account' | 'clock'>,
  id: string,
  ageMs: number,
  more: Partial<LedgerComment> = {},
): string {
  sandbox.ledger.addComment({
    id,
    platform: 'youtube',
    accountId: account.externalId,
    writtenBy: 'fan',
    author: 'Ann',
    text: `says ${id}`,
    createdAt: isoTime(clock.now() - ageMs),
    details: { channelId: 'UCof-a-fan' },
    ...more,
  })
  return id
}

/** The account's own reply, from wherever it was written. */
export function answered(scene: Scene, id: string, ageMs: number, more: Partial<LedgerComment> = {}): string {
  return wrote(scene, id, ageMs, { inReplyTo: id.replace(/\..*/, ''), writtenBy: 'account', author: 'Us', ...more })
}
