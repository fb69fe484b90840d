import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { facebook } from '../../platforms/facebook/index.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type {
  Credentials,
  CredentialStore,
  PlatformErrorKind,
  PlatformIo,
  Published,
  PublishHandle,
  PublishJob,
} from '../../platforms/kit/platform.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import { facebookStandInWith } from '../../packages/sandbox/facebook.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import type { LedgerPost } from '../../packages/sandbox/ledger.ts'
import { interceptingProxy, type Interception, type InterceptingProxy } from './intercepting-proxy.ts'
import { sample } from './media-samples.ts'
import { faultOf, preparedBy } from './meta.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, memoryCredentials, type SandboxAccount } from './sandbox.ts'
import type { VirtualClock } from './virtual-clock.ts'

export { refusal } from './meta.ts'

export const START = Date.parse('2026-03-01T10:00:00Z')
export const SECRET = 'the-secret-of-the-sandbox-app'

export interface Scene {
  readonly sandbox: Sandbox
  /** Stands between the connector and the sandbox, but for the transfer of reels, whose address the sandbox gives. */
  readonly proxy: InterceptingProxy
  readonly http: Http
  readonly clock: VirtualClock
  readonly given: SandboxAccount
  readonly credentials: CredentialStore
  readonly io: PlatformIo
  /** An image, a reel and a plain video that are to go out. */
  readonly jobs: Readonly<Record<'image' | 'reel' | 'video', PublishJob>>
  readonly live: () => readonly LedgerPost[]
  /** The job with media that a host of its own serves. */
  withMedia(content: Buffer | (() => Iterable<Buffer>), more?: Partial<PublishJob>): PublishJob
  fault(script: Partial<FaultScript>): void
}

/** One connected Page. The clock stands still until it is moved. */
export async function givenScene(
  t: Test,
  options: { readonly reelsPerDay?: number; readonly more?: Credentials; readonly withoutUserToken?: true } = {},
): Promise<Scene> {
  const { reelsPerDay = 1_000, more, withoutUserToken } = options
  const clock = movableClock({ standingAt: START })
  const sandbox = await givenSandbox(t, { clock, standIns: [facebookStandInWith({ reelsPerDay })] })
  const http = givenHttp(t)
  const given = await givenAccount(http, sandbox, 'facebook', { label: 'Acme Bakery' })
  const proxy = await interceptingProxy(t, given.baseUrl)
  const bare = {
    http,
    clock,
    media: mediaSource({ http, clock, directory: join(t.testdir(), 'spool') }),
    signal: AbortSignal.timeout(60_000),
  }
  const { accessToken = '', userToken = '' } = given.credentials
  const credentials = { accessToken, ...(!withoutUserToken && { userToken }), ...more }
  const store = memoryCredentials((await facebook.connect(credentials, proxy.url, bare)).credentials)
  const served = new Map<string, () => Iterable<Buffer>>()
  const host = await httpServer(t, (request, response) => {
    const content = served.get((request.url ?? '').split('?')[0] ?? '')
    if (content) Readable.from(content()).pipe(response)
    else response.writeHead(404).end()
  })
  served.set('/landscape.mp4', () => [sample('clip.mp4')])
  const image: PublishJob = {
    key: crypto.randomUUID(),
    account: { ...accountOf('facebook', given), baseUrl: proxy.url },
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Fresh bread 🥖 & more\n\n#bakery',
    queuedAt: '2026-03-01T10:00:00.000Z',
  }
  const reel: PublishJob = { ...image, mediaType: 'video', mediaUrl: `${sandbox.url}/media/sample.mp4` }
  return {
    sandbox,
    proxy,
    http,
    clock,
    given,
    credentials: store,
    io: { ...bare, credentials: store },
    jobs: { image, reel, video: { ...reel, mediaUrl: `${host.url}/landscape.mp4` } },
    live: () => sandbox.ledger.posts('facebook', { accountId: given.externalId }),
    withMedia: (content, more) => {
      const path = `/${served.size}`
      served.set(path, Buffer.isBuffer(content) ? () => [content] : content)
      return { ...image, ...more, mediaUrl: `${host.url}${path}` }
    },
    fault: (script) => sandbox.faults.script(faultOf('facebook', { kind: 'reject', ...script })),
  }
}

type Timed = Pick<Scene, 'io' | 'clock'>

/** Prepares until Facebook is done, letting the time pass as it asks for. */
export function ready(
  scene: Timed,
  job: PublishJob,
  earlier?: PublishHandle,
): Promise<{ handle: PublishHandle; waits: readonly number[] }> {
  return preparedBy(facebook, scene, job, earlier)
}

/** Makes the visible call, and looks until it is settled. */
export async function publishedBy(scene: Timed, job: PublishJob, handle: PublishHandle): Promise<Published> {
  const publishing = await facebook.publish(job, handle, scene.io)
  return publishing.outcome === 'published' ? publishing.published : foundBy(scene, job, handle)
}

/** Looks until it is found. */
export async function foundBy({ io, clock }: Timed, job: PublishJob, handle: PublishHandle): Promise<Published> {
  for (let looks = 0; looks < 100; looks += 1) {
    const outlook = await facebook.find?.(job, handle, io)
    if (outlook?.outcome === 'found') return outlook.found
    if (outlook?.outcome !== 'processing') throw new Error(JSON.stringify(outlook))
    await clock.advanceTo(clock.now() + outlook.lookAgainMs)
  }
  throw new Error('it is never found')
}

/** The same media, and what the stand-in is to do with it. */
export function asking(job: PublishJob, directives: string): PublishJob {
  return { ...job, mediaUrl: `${job.mediaUrl}?sandbox=${directives}&run=${crypto.randomUUID()}` }
}

/** An error as the Graph API answers it. */
export function graphError(
  code: number,
  subcode?: number,
  more: { status?: number; message?: string; headers?: Record<string, string>; transient?: boolean } = {},
): Interception {
  const { status = 400, message = 'as Facebook says it', headers, transient = false } = more
  const error = {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: transient,
    fbtrace_id: 'trace1',
  }
  return { kind: 'answer', status, ...(headers && { headers }), body: JSON.stringify({ error }) }
}

export const json = (body: object, status = 200): Interception => ({
  kind: 'answer',
  status,
  body: JSON.stringify(body),
})

/** What an error row means: to calls that nobody sees, and to the one that publishes. */
export type Row = readonly [Interception, hidden: PlatformErrorKind, visible: PlatformErrorKind]
