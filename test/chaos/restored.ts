import { randomBytes } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { openCore } from '../../app/wiring/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { freePort } from '../support/free-port.ts'
import { runCommand, startProcess, until, type Home } from '../support/service-process.ts'
import { postsAt } from '../support/sandbox-posts.ts'
import { client, type Client } from './client.ts'
import { givenSandbox, setUp, type Teardown } from './estate.ts'
import { EVERYWHERE } from './load/places.ts'

/** What became of a service that was restored from a backup which was taken amid a burst of posts. */
export interface RestoredRun {
  /** Posts that were answered with success before the backup began. */
  readonly accepted: number
  /** While it was taken, and until the service was killed. */
  readonly acceptedLater: number
  /** Posts on an account that were found on their platform, and settled. */
  readonly found: number
  /** What waited until the release. */
  readonly waiting: number
  /** Posts on an account, by platform and caption, that are live more than once. */
  readonly twice: readonly string[]
  /** Of those that were accepted before the backup. */
  readonly lost: readonly string[]
  /** Ids of posts that have not come to their end. */
  readonly stuck: readonly string[]
  /** Posts that became live between the start and the release. */
  readonly sentWhileHeld: number
}

const SENDERS = 6
/** So many are accepted before the backup begins, and after it has ended. */
const BURST = 20
/** Each twice is less than Threads takes in a day: a platform that refuses would hide what is sent again. */
const MOST = 120
const PAUSE_MS = 200
const PATIENCE_MS = 300_000

const queuedSchema = z.object({ runId: z.string() })
const statusSchema = z.object({
  heldSince: z.string(),
  found: z.number(),
  toLookFor: z.number(),
  waiting: z.array(z.object({ outcome: z.string() })),
})
const liveSchema = z.object({ caption: z.string() })

/** @param folder an empty one, for all data */
export async function restoredRun(t: Teardown, folder: string, progress: (line: string) => void): Promise<RestoredRun> {
  const dataDir = join(folder, 'data')
  // Run by root, Postgres runs as somebody else, who has to get there.
  await chmod(folder, 0o711)
  await mkdir(dataDir)
  // The world outside: neither killed nor restored.
  const sandboxUrl = await givenSandbox(t, join(folder, 'sandbox'))
  const [port, sandboxPort] = [await freePort(), Number(new URL(sandboxUrl).port)]
  const settings = {
    ...{ DATA_DIR: dataDir, PORT: String(port), SANDBOX: 'elsewhere', SANDBOX_PORT: String(sandboxPort) },
    ...{ OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn', ENCRYPTION_KEY: randomBytes(32).toString('base64') },
    ...{ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_DAY: '1000000' },
  }
  const { apiKey, accounts } = await setUp(
    () => openCore(readSettings(settings), createLogger('error'), () => undefined),
    sandboxUrl,
  )
  const home: Home = { dataDir, port, sandboxPort, environment: { ...process.env, ...settings } }
  const caller = client(port, apiKey)
  const image = EVERYWHERE.image.filter((platform) => accounts[platform] !== undefined)
  const selections = Object.fromEntries(image.map((platform) => [platform, [accounts[platform] ?? '']]))
  const body = (caption: string) => ({
    ...{ caption, selections, mediaType: 'image', mediaUrl: `${sandboxUrl}/media/sample.jpg` },
  })

  let service = await started(t, home)
  progress('sending posts')
  const accepted = new Map<string, string>()
  const gone = new AbortController()
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let nth = 0; !gone.signal.aborted && accepted.size + SENDERS <= MOST; nth += 1) {
      const caption = `post ${sender}.${nth}`
      const { status, body: answer } = await caller.ask('POST', '/posts', { body: body(caption), key: caption })
      // Killed under our hands: whether it was taken is not known, nor asked.
      if (status === 202) accepted.set(caption, queuedSchema.parse(answer).runId)
      await wait(PAUSE_MS)
    }
  })
  await until('the burst', PATIENCE_MS, async () => (accepted.size >= BURST ? true : undefined))
  const before = new Set(accepted.keys())
  const backup = join(folder, 'backup')
  await done(home, ['backup', backup, '--json'])
  progress(`backed up; ${before.size} posts were accepted before, ${accepted.size - before.size} during it`)
  const enough = Math.min(accepted.size + BURST, MOST - SENDERS)
  await until('more posts', PATIENCE_MS, async () => (accepted.size >= enough ? true : undefined))
  gone.abort()
  await Promise.all(senders)
  await settled(caller, accepted.values())
  service.child.kill('SIGKILL')
  await service.ended
  const live = () => postsAt(sandboxUrl, image)
  const liveBefore = await live()

  await done(home, ['restore', backup, '--json'])
  service = await started(t, home)
  const { waiting, found: settledPosts } = await until('the look-up on the platforms', PATIENCE_MS, async () => {
    const status = statusSchema.parse(JSON.parse(await done(home, ['restore', 'status', '--json'])))
    const isOver = status.toLookFor === 0 && status.waiting.every(({ outcome }) => outcome !== 'unreachable')
    return isOver ? status : undefined
  })
  const sentWhileHeld = (await live()).length - liveBefore.length
  progress(`restored; ${settledPosts} posts were found, ${waiting.length} work items are waiting`)
  await done(home, ['restore', 'release', '--unknown', 'fail', '--json'])
  const stuck = await settled(caller, accepted.values())
  const found = await Promise.all(
    image.map(async (platform) => [platform, await postsAt(sandboxUrl, [platform])] as const),
  )
  const counts = new Map<string, number>()
  for (const [platform, posts] of found) {
    for (const post of posts) {
      const key = `${platform}: ${liveSchema.parse(post).caption}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const wanted = image.flatMap((platform) => [...before].map((caption) => `${platform}: ${caption}`))
  return {
    ...{
      accepted: before.size,
      acceptedLater: accepted.size - before.size,
      found: settledPosts,
      waiting: waiting.length,
      stuck,
      sentWhileHeld,
    },
    twice: [...counts].flatMap(([key, count]) => (count > 1 ? [key] : [])),
    lost: wanted.filter((key) => !counts.has(key)),
  }
}

/** Waits until each post has come to its end, or is one that the log has forgotten. @returns those that have not */
async function settled({ insist }: Client, ids: Iterable<string>): Promise<readonly string[]> {
  const open = new Set(ids)
  await until('every post to settle', PATIENCE_MS, async () => {
    for (const id of open) {
      const { status, body } = await insist('GET', `/posts/${id}`)
      if (status === 404 || z.object({ status: z.string() }).parse(body).status !== 'processing') open.delete(id)
    }
    return open.size === 0 ? true : undefined
  }).catch(() => undefined)
  return [...open]
}

async function started(t: Teardown, home: Home) {
  const service = startProcess(home)
  t.teardown(async () => {
    // It stops its Postgres, too.
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.ready
  return service
}

async function done(home: Home, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(home, args)
  if (code !== 0) throw new Error(`fanfare ${args.join(' ')} exited with ${code}: ${stderr}`)
  return stdout
}
