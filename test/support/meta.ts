import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import {
  PlatformError,
  type Credentials,
  type Platform,
  type PlatformIo,
  type PublishHandle,
  type PublishJob,
} from '../../platforms/kit/platform.ts'
import type { FaultScript } from '../../packages/sandbox/faults.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import type { StandIn } from '../../packages/sandbox/stand-in.ts'
import { movableClock } from './movable-clock.ts'
import { httpServer } from './outbound-servers.ts'
import { accountOf, givenAccount, givenHttp, givenSandbox, memoryCredentials } from './sandbox.ts'
import type { VirtualClock } from './virtual-clock.ts'

export function faultOf(
  platform: Platform['key'],
  script: Partial<FaultScript> & Pick<FaultScript, 'kind'>,
): FaultScript {
  return { platform, call: 'publish', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false, ...script }
}

/** Prepares as the service does, until it is ready, letting the time pass that is asked for. */
export async function preparedBy(
  platform: Platform,
  { io, clock }: { readonly io: PlatformIo; readonly clock: VirtualClock },
  job: PublishJob,
  earlier?: PublishHandle,
): Promise<{ handle: PublishHandle; waits: readonly number[] }> {
  const waits: number[] = []
  for (let known = earlier; ;) {
    const prepared = await platform.prepare(job, io, known)
    // As it comes back from the log.
    known = JSON.parse(JSON.stringify(prepared.handle)) as PublishHandle
    if (prepared.outcome === 'ready') return { handle: known, waits }
    waits.push(prepared.lookAgainMs)
    await clock.advanceTo(clock.now() + prepared.lookAgainMs)
  }
}

export async function refusal(work: Promise<unknown> | undefined): Promise<PlatformError> {
  try {
    await work
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('expected a PlatformError')
}

/** An account in a sandbox that can be closed and opened again on the same folder, and an image on another host. */
export async function givenRestarts(t: Test, platform: Platform, standIn: StandIn) {
  const { key } = platform
  const http = givenHttp(t)
  const clock = movableClock({ standingAt: Date.parse('2026-03-01T10:00:00Z') })
  const image = await readFile(new URL('../../packages/sandbox/media/sample.jpg', import.meta.url))
  const host = await httpServer(t, (_request, response) => response.end(image))
  const folder = t.testdir()
  const dataDir = join(folder, 'sandbox')
  const open = (): Promise<Sandbox> => givenSandbox(t, { dataDir, clock, standIns: [standIn] })
  let sandbox = await open()
  const given = await givenAccount(http, sandbox, key)
  const account = accountOf(key, given)
  const media = mediaSource({ http, clock, directory: join(folder, 'spool') })
  const bare = { http, clock, media, signal: AbortSignal.timeout(60_000) }
  const stored = await platform.connect(fieldsOf(platform, given.credentials), given.baseUrl, bare)
  const io: PlatformIo = { ...bare, credentials: memoryCredentials(stored.credentials) }
  return {
    clock,
    io,
    live: () => sandbox.ledger.posts(key),
    restart: async (): Promise<void> => {
      await sandbox.close()
      sandbox = await open()
    },
    /** @param script what the stand-in is to do otherwise */
    job: (script = ''): PublishJob => ({
      key: '4a7c9b0e-1d2f-4c3b-9a8e-5f6d7c8b9a0e',
      account: { ...account, baseUrl: `${sandbox.url}/${key}` },
      mediaUrl: `${host.url}/image.jpg?sandbox=${script}`,
      mediaType: 'image',
      text: 'Kept over a restart 🥖',
      queuedAt: '2026-03-01T10:00:00.000Z',
    }),
  }
}

function fieldsOf({ credentials }: Platform, given: Credentials): Credentials {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in credentials.shape))
}

/** What is to be true of the containers of both platforms when their stand-in is closed and opened again. */
export async function testRestarts(t: Test, platform: Platform, standIn: StandIn): Promise<void> {
  const restarts = await givenRestarts(t, platform, standIn)
  const { clock, io, job, live, restart } = restarts

  await t.test('when it was only made, then it is worked at, and published', async (t) => {
    const { handle } = await platform.prepare(job(), io, undefined)
    await restart()
    const ready = await preparedBy(platform, restarts, job(), handle)
    t.equal(ready.handle['containerId'], handle['containerId'])
    const { outcome } = await platform.publish(job(), ready.handle, io)
    t.equal(outcome, 'published')
    t.match(live(), [{ caption: job().text, mediaUrl: job().mediaUrl, mediaType: 'image' }])
  })

  await t.test('when it was finished, then it can still be published, and tells that it was', async (t) => {
    const before = live().length
    const { handle } = await preparedBy(platform, restarts, job())
    await restart()
    t.match(await platform.find?.(job(), handle, io), { outcome: 'absent' })
    t.match(await platform.publish(job(), handle, io), { outcome: 'published' })
    await restart()
    const found = { outcome: 'found', found: { postId: live().at(-1)?.id } }
    t.match(await platform.find?.(job(), handle, io), found)
    t.equal(live().length, before + 1)
  })

  await t.test('when that happens after every look, then it is finished all the same', async (t) => {
    let prepared = await platform.prepare(job('processing:4'), io, undefined)
    const { containerId } = prepared.handle
    let looks = 0
    for (; prepared.outcome === 'processing' && looks < 20; looks += 1) {
      await restart()
      await clock.advanceTo(clock.now() + prepared.lookAgainMs)
      prepared = await platform.prepare(job('processing:4'), io, prepared.handle)
    }
    t.match(prepared, { outcome: 'ready', handle: { containerId } })
    t.ok(looks >= 5)
  })

  await t.test('when it had expired, then it is so still', async (t) => {
    const { handle } = await preparedBy(platform, restarts, job())
    await restart()
    await clock.advanceTo(clock.now() + 86_400_000)
    t.match(await platform.find?.(job(), handle, io), { outcome: 'absent' })
    const again = await preparedBy(platform, restarts, job(), handle)
    t.not(again.handle['containerId'], handle['containerId'])
  })
}
