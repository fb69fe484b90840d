import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import type { Http, HttpRequest, HttpResponse } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type { Platform, PlatformIo, PublishHandle, PublishJob, Publishing } from '../../platforms/kit/platform.ts'
import { tiktok } from '../../platforms/tiktok/index.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { LedgerPost } from '../../packages/sandbox/ledger.ts'
import type { StandIn } from '../../packages/sandbox/stand-in.ts'
import { tiktokStandIn } from '../../packages/sandbox/tiktok.ts'
import { movableClock } from './movable-clock.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, ioOf, memoryCredentials } from './sandbox.ts'

/** An answer or a failure instead of what the platform would say; nothing: it is asked. */
export type Intercept = (
  call: string,
  request: HttpRequest,
) => Promise<HttpResponse | undefined> | HttpResponse | undefined

export const INIT = 'POST /v2/post/publish/video/init/'
export const PHOTO = 'POST /v2/post/publish/content/init/'
export const STATUS = 'POST /v2/post/publish/status/fetch/'
export const CREATOR = 'POST /v2/post/publish/creator_info/query/'
export const LIST = 'POST /v2/video/list/'
export const CHUNK = 'PUT /video/'

/** An account, and a video and an image that are to go out there. */
export async function givenScene(
  t: Test,
  options: {
    readonly label?: string
    readonly text?: string
    readonly settings?: Readonly<Record<string, string>>
    readonly standIn?: StandIn
    readonly dataDir?: string
  } = {},
) {
  const {
    label = 'park.walks',
    text = 'A walk\n\nin the park #fanfare',
    settings = {},
    standIn = tiktokStandIn,
  } = options
  const clock = movableClock()
  const sandbox = await givenSandbox(t, {
    clock,
    standIns: [standIn],
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
  })
  const plain = givenHttp(t)
  const account = await givenAccount(plain, sandbox, 'tiktok', { label })
  const calls: string[] = []
  let by: Intercept | undefined
  const http: Http = {
    ...plain,
    request: async (url, request = {}) => {
      const call = `${request.method} ${new URL(url).pathname.replace('/tiktok', '')}`
      calls.push(call)
      const instead = await by?.(call, request)
      if (instead && request.body instanceof Readable) request.body.destroy()
      return instead ?? plain.request(url, request)
    },
  }
  const directory = join(t.testdir(), 'spool')
  const store = memoryCredentials({ ...account.credentials, ...settings })
  const media = mediaSource({ http: plain, clock, directory })
  const io = ioOf(http, store, { media, clock, signal: AbortSignal.timeout(60_000) })
  const video: PublishJob = {
    key: crypto.randomUUID(),
    account: accountOf('tiktok', account),
    mediaUrl: `${sandbox.url}/media/sample.mp4`,
    mediaType: 'video',
    text,
    queuedAt: '2026-03-01T10:00:00.000Z',
  }
  return {
    sandbox,
    clock,
    plain,
    account,
    store,
    io,
    video,
    photo: { ...video, mediaUrl: `${sandbox.url}/media/sample.jpg`, mediaType: 'image' } satisfies PublishJob,
    directory,
    /** `PUT /video/`, in order. */
    calls,
    /** What meets every call to TikTok from here on. */
    intercept: (next: Intercept | undefined): void => {
      by = next
    },
    script: (fault: Partial<FaultScript> & Pick<FaultScript, 'kind'>): void =>
      sandbox.faults.script({
        platform: 'tiktok',
        call: 'publish',
        times: 1,
        delayMs: 0,
        retryAfterSeconds: 30,
        accepted: false,
        ...fault,
      }),
    later: (ms: number): Promise<void> => clock.advanceTo(clock.now() + ms),
    live: (): readonly LedgerPost[] => sandbox.ledger.posts('tiktok', { accountId: account.externalId }),
  }
}
export type Scene = Awaited<ReturnType<typeof givenScene>>

/** Prepares as the service does, letting the time pass that TikTok asks for. The handle is as it comes back from its record. */
export async function prepared(
  scene: Scene,
  job: PublishJob,
  earlier?: PublishHandle,
  io: PlatformIo = scene.io,
): Promise<PublishHandle> {
  for (let known = earlier; ;) {
    const answer = await tiktok.prepare(job, io, known)
    known = recorded(answer.handle)
    if (answer.outcome === 'ready') return known
    await scene.later(answer.lookAgainMs)
  }
}

/** Asks again as often as TikTok wants to be asked, letting that time pass. */
export async function settled(scene: Scene, ask: () => Promise<Publishing>, looks: number[] = []) {
  for (;;) {
    const publishing = await ask()
    if (publishing.outcome === 'published') return publishing.published
    looks.push(publishing.lookAgainMs)
    await scene.later(publishing.lookAgainMs)
  }
}

export function recorded(handle: PublishHandle): PublishHandle {
  return JSON.parse(JSON.stringify(handle)) as PublishHandle
}

/** Sends a photo. @returns the handle with the id that TikTok gave it */
export async function sentPhoto(scene: Scene, job: PublishJob = scene.photo): Promise<PublishHandle> {
  const publishing = await tiktok.publish(job, await prepared(scene, job), scene.io)
  if (!('handle' in publishing)) throw new Error('TikTok did not go on working')
  return recorded(publishing.handle as PublishHandle)
}

export const find = (scene: Scene, job: PublishJob, handle: PublishHandle) =>
  (tiktok.find as NonNullable<Platform['find']>)(job, handle, scene.io)

/** Every answer of the API has this form. */
export const said = (code: string, message = `said ${code}`, data: object = {}) => ({
  data,
  error: { code, message, log_id: 'x' },
})
