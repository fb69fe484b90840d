import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { instagram } from '../../platforms/instagram/index.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import type {
  Credentials,
  CredentialStore,
  PlatformErrorKind,
  PlatformIo,
  PublishHandle,
  PublishJob,
} from '../../platforms/kit/platform.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import type { LedgerPost } from '../../packages/sandbox/ledger.ts'
import { instagramStandInWith } from '../../packages/sandbox/instagram.ts'
import { interceptingProxy, type Interception, type InterceptingProxy } from './intercepting-proxy.ts'
import { faultOf, preparedBy } from './meta.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, memoryCredentials, type SandboxAccount } from './sandbox.ts'
import type { VirtualClock } from './virtual-clock.ts'

export { refusal } from './meta.ts'

export const START = Date.parse('2026-03-01T10:00:00Z')

export interface Scene {
  readonly sandbox: Sandbox
  /** Stands between the connector and the sandbox. */
  readonly proxy: InterceptingProxy
  readonly http: Http
  readonly clock: VirtualClock
  readonly given: SandboxAccount
  readonly credentials: CredentialStore
  readonly io: PlatformIo
  readonly job: PublishJob
  readonly live: () => readonly LedgerPost[]
  /** The job with media that a host of its own serves. */
  withMedia(content: Buffer | (() => Iterable<Buffer>), more?: Partial<PublishJob>): PublishJob
  fault(script: Partial<FaultScript>): void
}

/** One connected account, and an image that is to go out there. The clock stands still until it is moved. */
export async function givenScene(
  t: Test,
  options: { readonly quota?: number; readonly login?: 'instagram' | 'facebook'; readonly secret?: string } = {},
): Promise<Scene> {
  const { quota = 50, login = 'instagram', secret } = options
  const clock = movableClock({ standingAt: START })
  const sandbox = await givenSandbox(t, { clock, standIns: [instagramStandInWith({ quota })] })
  const http = givenHttp(t)
  const given = await givenAccount(http, sandbox, 'instagram', { label: 'Acme.Bakery' })
  const proxy = await interceptingProxy(t, given.baseUrl)
  const bare = {
    http,
    clock,
    media: mediaSource({ http, clock, directory: join(t.testdir(), 'spool') }),
    signal: AbortSignal.timeout(60_000),
  }
  const connected = await instagram.connect(
    { ...tokenOf(given, login), ...(secret !== undefined && { clientSecret: secret }) },
    proxy.url,
    bare,
  )
  const credentials = memoryCredentials(connected.credentials)
  const served = new Map<string, () => Iterable<Buffer>>()
  const host = await httpServer(t, (request, response) => {
    const content = served.get((request.url ?? '').split('?')[0] ?? '')
    if (content) Readable.from(content()).pipe(response)
    else response.writeHead(404).end()
  })
  const job: PublishJob = {
    key: crypto.randomUUID(),
    account: { ...accountOf('instagram', given), baseUrl: proxy.url },
    mediaUrl: `${sandbox.url}/media/sample.jpg`,
    mediaType: 'image',
    text: 'Fresh bread 🥖 & more\n\n#bakery',
    queuedAt: '2026-03-01T10:00:00.000Z',
  }
  return {
    sandbox,
    proxy,
    http,
    clock,
    given,
    credentials,
    io: { ...bare, credentials },
    job,
    live: () => sandbox.ledger.posts('instagram', { accountId: given.externalId }),
    withMedia: (content, more) => {
      const path = `/${served.size}`
      served.set(path, Buffer.isBuffer(content) ? () => [content] : content)
      return { ...job, ...more, mediaUrl: `${host.url}${path}` }
    },
    fault: (script) => sandbox.faults.script(faultOf('instagram', { kind: 'reject', ...script })),
  }
}

export function tokenOf({ credentials }: SandboxAccount, login: 'instagram' | 'facebook'): Credentials {
  const secret = login === 'instagram' ? credentials['accessToken'] : credentials['pageAccessToken']
  return { loginType: login, accessToken: secret ?? '' }
}

/** Prepares until Instagram is done, letting the time pass as it asks for. */
export function ready(
  scene: Pick<Scene, 'io' | 'clock'>,
  job: PublishJob,
  earlier?: PublishHandle,
): Promise<{ handle: PublishHandle; waits: readonly number[] }> {
  return preparedBy(instagram, scene, job, earlier)
}

/** An error as the Graph API answers it. */
export function graphError(
  code: number,
  subcode?: number,
  more: { status?: number; message?: string; headers?: Record<string, string>; transient?: boolean } = {},
): Interception {
  const { status = 400, message = 'as Instagram says it', headers, transient = false } = more
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

export const json = (body: object): Interception => ({ kind: 'answer', status: 200, body: JSON.stringify(body) })

/** What an error row means: to calls that nobody sees, and to the one that publishes. */
export type Row = readonly [Interception, hidden: PlatformErrorKind, visible: PlatformErrorKind]
