import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import * as z from 'zod'
import type { PlatformKey } from '../domain/core/platform.ts'
import { checkedFetch } from './support/document.ts'
import { givenHome, killPostgres, runCommand, startProcess, until, type Home } from './support/service-process.ts'

/*
 * The service as users run it, killed again and again while posts come in and platforms misbehave. Every request is
 * repeated, under its Idempotency-Key, until it is answered. In the end each post must be live exactly once on each account.
 */

/** Of each round: by default each kind of fault happens to each platform once. */
const FAULTS = 10
const ROUNDS = Number(process.env['FANFARE_TEST_KILL_ROUNDS'] ?? 4)
/** What goes where: half of the posts are images, half are videos. */
const TAKERS = {
  image: ['facebook', 'bluesky', 'x', 'linkedin', 'pinterest', 'instagram', 'threads', 'googlebusiness'],
  video: ['youtube', 'tiktok'],
} as const
const KINDS = ['image', 'video'] as const
const PLATFORMS = KINDS.flatMap((kind): readonly PlatformKey[] => TAKERS[kind])
/** Their tokens can't be renewed in their first day: one that is void stays so. */
const NOT_RENEWED: readonly PlatformKey[] = ['instagram', 'threads']
const COMMENTED: readonly PlatformKey[] = ['facebook', 'instagram']
/** Every so many rounds the database is killed with the service. */
const POSTGRES_TOO = 2

const accountsSchema = z.object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
const postSchema = z.object({
  status: z.string(),
  publishResults: z.record(z.string(), z.array(z.object({ ok: z.boolean(), error: z.string().optional() }))),
})
const liveSchema = z.array(z.object({ caption: z.string(), firstComment: z.string().optional() }))

class Client {
  readonly accepted = new Map<string, string>()
  readonly pending = new Set<string>()
  private readonly home: Home
  private readonly key: string
  private readonly accounts: Readonly<Record<string, string>>

  constructor(home: Home, key: string, accounts: Readonly<Record<string, string>>) {
    this.home = home
    this.key = key
    this.accounts = accounts
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await checkedFetch(`http://127.0.0.1:${this.home.port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.json()
  }

  /** Sends all that has no answer yet, then new posts, four at a time, until the service is gone. */
  async sendUntilGone(name: string, gone: AbortSignal): Promise<void> {
    const repeats = [...this.pending]
    await Promise.all([0, 1, 2, 3].map((sender) => this.send(`${name}.${sender}`, repeats, gone)))
  }

  private async send(name: string, repeats: string[], gone: AbortSignal): Promise<void> {
    for (let n = 0; !gone.aborted; n += 1) {
      const caption = repeats.shift() ?? `${n % 2 === 0 ? 'image' : 'video'} ${name}.${n}`
      await this.request(caption)
      await wait(20)
    }
  }

  private async request(caption: string): Promise<void> {
    this.pending.add(caption)
    try {
      const answer = await this.call('POST', '/posts', this.body(caption), { 'idempotency-key': caption })
      this.accepted.set(caption, z.object({ runId: z.string() }).parse(answer).runId)
      this.pending.delete(caption)
    } catch {
      // The service was killed or did not answer in time: whether it took the post is unknown, so it is sent again.
    }
  }

  /** Sends again all that has no answer yet. */
  async repeatPending(): Promise<void> {
    await Promise.all([...this.pending].map((caption) => this.request(caption)))
  }

  private body(caption: string): object {
    const mediaType = kindOf(caption)
    const mediaUrl = `http://127.0.0.1:${this.home.sandboxPort}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`
    const selections = Object.fromEntries(
      TAKERS[mediaType].map((platform) => [platform, [this.accounts[platform] ?? '']]),
    )
    return { mediaUrl, mediaType, selections, caption, firstComment: `first ${caption}` }
  }
}

function kindOf(caption: string): (typeof KINDS)[number] {
  return caption.startsWith('image') ? 'image' : 'video'
}

async function scriptFault(home: Home, nth: number): Promise<void> {
  const kinds = ['accept_then_timeout', 'server_error', 'token_expired', 'rate_limit'] as const
  const platform = PLATFORMS[nth % PLATFORMS.length]
  const lap = Math.floor(nth / PLATFORMS.length)
  const wanted = kinds[lap % kinds.length]
  const kind = wanted === 'token_expired' && platform && NOT_RENEWED.includes(platform) ? 'server_error' : wanted
  const fault = {
    platform,
    call: nth % 5 === 0 && platform && COMMENTED.includes(platform) ? 'comment' : 'publish',
    kind,
    ...((nth + lap) % 2 === 0 && { accepted: true }),
    delayMs: 50,
    retryAfterSeconds: 1,
  }
  await fetch(`http://127.0.0.1:${home.sandboxPort}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  }).catch(() => undefined)
}

t.test(`given a service that is killed ${ROUNDS} times while posts come in`, async (t) => {
  const home = await givenHome(t, {
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '1000000',
    // A post that is killed in the middle of its call again and again is not given up meanwhile.
    RETRY_DELAYS: Array(300).fill('1s').join(','),
  })
  const first = startProcess(home)
  await first.ready
  const created = await runCommand(home, ['keys', 'create', '--workspace', 'demo', '--scopes', 'all', '--json'])
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(created.stdout))
  const { accounts } = accountsSchema.parse(await new Client(home, key, {}).call('GET', '/accounts'))
  const ids = Object.fromEntries(PLATFORMS.map((platform) => [platform, accounts[platform]?.[0]?.id ?? '']))
  const client = new Client(home, key, ids)

  let running = first
  let killedWhileStarting = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const gone = new AbortController()
    const sending = client.sendUntilGone(String(round), gone.signal)
    for (let nth = 0; nth < FAULTS; nth += 1) await scriptFault(home, FAULTS * round + nth)
    await wait(100 + Math.random() * 700)
    running.child.kill('SIGKILL')
    if (round % POSTGRES_TOO === POSTGRES_TOO - 1) await killPostgres(home.dataDir)
    await running.ended
    gone.abort()
    await sending
    running = startProcess(home)
    if (round % 4 === 3) {
      // Killed again at any moment of its start.
      await Promise.race([wait(Math.random() * 1_000), running.ready])
      running.child.kill('SIGKILL')
      await running.ended
      killedWhileStarting += 1
      running = startProcess(home)
    }
    await running.ready
  }

  const last = new AbortController()
  const finishing = client.sendUntilGone('last', last.signal)
  await until('posts to come in again', 60_000, async () => client.pending.size <= 4 || undefined)
  last.abort()
  await finishing
  await until('every request to be answered', 120_000, async () => {
    await client.repeatPending()
    return client.pending.size === 0 || undefined
  })
  t.comment(`${client.accepted.size} posts accepted over ${ROUNDS} kills and ${killedWhileStarting} during a start`)
  t.ok(client.accepted.size >= ROUNDS / 4, 'posts came in all the time')

  await t.test('then every accepted post settles', async (t) => {
    for (const [caption, id] of client.accepted) {
      const post = await until(`${caption} to settle`, 120_000, async () => {
        const post = postSchema.parse(await client.call('GET', `/posts/${id}`))
        return post.status === 'processing' ? undefined : post
      })
      const failures = Object.values(post.publishResults)
        .flat()
        .filter(({ ok }) => !ok)
      if (post.status !== 'published' || failures.length > 0)
        t.same(failures, [], `${caption} (${id}) is published everywhere`)
    }
    t.pass('none is stuck')
  })

  await t.test(
    'then each is live exactly once on each account, with its first comment, and nothing else is',
    async (t) => {
      for (const platform of PLATFORMS) {
        const response = await fetch(`http://127.0.0.1:${home.sandboxPort}/_control/posts?platform=${platform}`)
        const live = liveSchema.parse(await response.json())
        const counts = new Map<string, number>()
        for (const { caption } of live) counts.set(caption, (counts.get(caption) ?? 0) + 1)
        t.same(
          [...counts].filter(([, count]) => count > 1),
          [],
          `nothing is double on ${platform}`,
        )
        const expected = [...client.accepted.keys()].filter((caption) =>
          TAKERS[kindOf(caption)].some((taker) => taker === platform),
        )
        t.same(
          expected.filter((caption) => !counts.has(caption)),
          [],
          `nothing is lost on ${platform}`,
        )
        t.equal(live.length, expected.length, `nothing else is live on ${platform}`)
        if (COMMENTED.includes(platform)) {
          t.same(
            live.filter(({ caption, firstComment }) => firstComment !== `first ${caption}`),
            [],
            `first comments on ${platform}`,
          )
        }
      }
    },
  )

  running.child.kill('SIGTERM')
  await running.ended
  t.equal(running.child.exitCode, 0, 'it ends well when asked to')
})
