import { Readable } from 'node:stream'
import type { Test } from 'tap'
import * as z from 'zod'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { guardedHttp } from '../../infra/http/guarded-http.ts'
import type { Http } from '../../infra/http/http.ts'
import type { MediaSource } from '../../infra/media/media.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import type { Credentials, CredentialStore, PlatformAccount, PlatformIo } from '../../platforms/kit/platform.ts'
import { startSandbox, type Sandbox } from '../../packages/sandbox/index.ts'
import type { StandIn } from '../../packages/sandbox/stand-in.ts'
import { systemClock, type Clock } from '../../infra/runtime/clock.ts'
import { randomIds, resourceId } from '../../infra/runtime/ids.ts'

type Teardown = Pick<Test, 'teardown'>

export const ids = randomIds(systemClock.now)

/** A sandbox on a free port, closed with the test. */
export async function givenSandbox(
  t: Teardown,
  options: { dataDir?: string; clock?: Clock; standIns?: readonly StandIn[] } = {},
): Promise<Sandbox> {
  const { dataDir, clock = systemClock, standIns = [] } = options
  const sandbox = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    clock,
    ids,
    standIns,
    ...(dataDir !== undefined && { dataDir }),
  })
  t.teardown(() => sandbox.close())
  return sandbox
}

/** The service's own HTTP client, let through to loopback. Closed with the test. */
export function givenHttp(t: Teardown): Http {
  const http = guardedHttp({ policy: outboundPolicy('127.0.0.1'), clock: systemClock, userAgent: 'fanfare-test' })
  t.teardown(() => http.close())
  return http
}

const account = z.object({
  externalId: z.string(),
  label: z.string(),
  credentials: z.record(z.string(), z.string()),
  baseUrl: z.string(),
})
export type SandboxAccount = z.infer<typeof account>

/** The body of every error of the control endpoints. */
export const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** An account made through the control endpoint. */
export async function givenAccount(
  http: Http,
  sandbox: Sandbox,
  platform: PlatformKey,
  more: { externalId?: string; label?: string } = {},
): Promise<SandboxAccount> {
  return account.parse((await postJson(http, `${sandbox.url}/_control/accounts`, { platform, ...more })).json())
}

/** The account as the service knows it. */
export function accountOf(platform: PlatformKey, { externalId, baseUrl }: SandboxAccount): PlatformAccount {
  return { id: resourceId('acc', ids.ulid()), platform, externalId, baseUrl }
}

export function postJson(http: Http, url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const type = { 'content-type': 'application/json' }
  return http.request(url, { method: 'POST', headers: { ...type, ...headers }, body: JSON.stringify(body) })
}

/** Keeps to the interface's promise: one renewal at a time, and who comes second gets what the first one stored. */
export function memoryCredentials(given: Credentials): CredentialStore {
  let current = given
  let turn: Promise<unknown> = Promise.resolve()
  return {
    read: async () => current,
    renew: (stale, renew) => {
      const mine = turn.then(async () => {
        if (JSON.stringify(current) === JSON.stringify(stale)) current = await renew(current)
        return current
      })
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}

/** Media read into memory, believed to be what it is asked for; counts what was not disposed of. */
export function memoryMedia(http: Http): MediaSource & { readonly kept: number } {
  let kept = 0
  return {
    get kept() {
      return kept
    },
    spool: async (url, { mediaType }, signal) => {
      const { body, headers } = await http.request(url, { signal })
      kept += 1
      let disposed = false
      return {
        facts: { mediaType, mimeType: headers['content-type'] ?? '', bytes: body.length },
        open: (range) => Readable.from([range ? body.subarray(range.start, range.end) : body]),
        bytes: async () => body,
        dispose: async () => {
          if (!disposed) kept -= 1
          disposed = true
        },
      }
    },
  }
}

export function ioOf(
  http: Http,
  credentials: Credentials | CredentialStore,
  more: Partial<PlatformIo> = {},
): PlatformIo {
  return {
    http,
    media: memoryMedia(http),
    credentials: isStore(credentials) ? credentials : memoryCredentials(credentials),
    clock: systemClock,
    signal: AbortSignal.timeout(60_000),
    ...more,
  }
}

function isStore(value: Credentials | CredentialStore): value is CredentialStore {
  return typeof value['read'] === 'function'
}
