import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { guardedHttp } from '../../../infra/http/guarded-http.ts'
import { outboundPolicy } from '../../../infra/http/outbound-guard.ts'
import { systemClock, type Clock } from '../../../infra/runtime/clock.ts'
import { randomIds } from '../../../infra/runtime/ids.ts'
import { unsavedCredentials } from '../../../platforms/kit/credentials.ts'
import { mediaSource } from '../../../platforms/kit/media-spool.ts'
import type { PlatformIo } from '../../../platforms/kit/platform.ts'
import { startSandbox } from '../../../packages/sandbox/index.ts'
import { converse, type Step, type Talk } from './conversation.ts'

const created = z.object({
  externalId: z.string(),
  credentials: z.record(z.string(), z.string()),
  baseUrl: z.string(),
})

/** Has the same conversation with the stand-in of a sandbox of its own. */
export async function converseInSandbox(
  talk: Pick<Talk, 'platform' | 'mediaType' | 'dry' | 'key'>,
): Promise<readonly Step[]> {
  const clock = hurriedClock()
  const directory = await mkdtemp(join(tmpdir(), 'fanfare-check-'))
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', clock, ids: randomIds(clock.now) })
  const http = guardedHttp({ policy: outboundPolicy('127.0.0.1'), clock: systemClock, userAgent: 'fanfare' })
  try {
    const { key } = talk.platform
    const body = JSON.stringify({ platform: key })
    const headers = { 'content-type': 'application/json' }
    const answer = await http.request(`${sandbox.url}/_control/accounts`, { method: 'POST', headers, body })
    const { externalId, credentials, baseUrl } = created.parse(answer.json())
    const media = mediaSource({ http, clock: systemClock, directory })
    const io = (timeoutMs: number): Omit<PlatformIo, 'credentials'> => ({
      ...{ http, media, clock },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const connected = await talk.platform.connect(credentials, baseUrl, io(30_000))
    const store = unsavedCredentials(connected.credentials)
    return await converse({
      ...talk,
      account: { id: 'acc_sandbox', platform: key, externalId, baseUrl },
      mediaUrl: `${sandbox.url}/media/sample.${{ image: 'jpg', video: 'mp4', document: 'pdf' }[talk.mediaType]}`,
      run: (timeoutMs, work) => work({ ...io(timeoutMs), credentials: store }),
      progress: () => undefined,
    })
  } finally {
    await http.close()
    await sandbox.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Nobody has to wait for a stand-in: each wait moves the time instead. */
export function hurriedClock(): Clock {
  let ahead = 0
  return {
    now: () => systemClock.now() + ahead,
    sleep: async (ms) => void (ahead += Math.max(0, ms)),
  }
}
