import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { z } from 'zod'
import { givenHome, killPostgres, runCommand, startProcess, until, type Home } from './support/service-process.ts'

/*
 * The service as users run it, killed again and again while posts come in and platforms misbehave. Every request is
 * repeated, under its Idempotency-Key, until it is answered. In the end each post must be live exactly once on each account.
 */

t.setTimeout(900_000)

const ROUNDS = 100
const PLATFORMS = ['facebook', 'bluesky', 'x', 'linkedin', 'pinterest'] as const
/** Every so many rounds the database is killed with the service. */
const POSTGRES_TOO = 10

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
  private readonly selections: Record<string, string[]>

  constructor(home: Home, key: string, selections: Record<string, string[]>) {
    this.home = home
    this.key = key
    this.selections = selections
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.home.port}/v1${path}`, {
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
      const caption = repeats.shift() ?? `post ${name}.${n}`
      this.pending.add(caption)
      try {
        const answer = await this.call('POST', '/posts', this.body(caption), { 'idempotency-key': caption })
        this.accepted.set(caption, z.object({ runId: z.string() }).parse(answer).runId)
        this.pending.delete(caption)
      } catch {
        // Killed under our hands: whether it was taken is not known, so it is asked again.
      }
      await wait(20)
    }
  }

  private body(caption: string): object {
    const mediaUrl = `http://127.0.0.1:${this.home.sandboxPort}/media/sample.jpg`
    return { mediaUrl, mediaType: 'image', selections: this.selections, caption, firstComment: `first ${caption}` }
  }
}

async function scriptFaults(home: Home, round: number): Promise<void> {
  const kinds = ['accept_then_timeout', 'server_error', 'token_expired', 'rate_limit'] as const
  const platform = PLATFORMS[round % PLATFORMS.length]
  const kind = kinds[Math.floor(round / PLATFORMS.length) % kinds.length]
  const fault = {
    platform,
    call: round % 5 === 0 ? 'comment' : 'publish',
    kind,
    ...(round % 2 === 0 && { accepted: true }),
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
    RETRY_DELAYS: Array(ROUNDS).fill('1s').join(','),
  })
  const first = startProcess(home)
  await first.ready
  const created = await runCommand(home, ['keys', 'create', '--workspace', 'demo', '--scopes', 'all', '--json'])
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(created.stdout))
  const { accounts } = accountsSchema.parse(await new Client(home, key, {}).call('GET', '/accounts'))
  const selections = Object.fromEntries(PLATFORMS.map((platform) => [platform, [accounts[platform]?.[0]?.id ?? '']]))
  const client = new Client(home, key, selections)

  let running = first
  let killedWhileStarting = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const gone = new AbortController()
    const sending = client.sendUntilGone(String(round), gone.signal)
    await scriptFaults(home, round)
    await wait(100 + Math.random() * 700)
    running.child.kill('SIGKILL')
    if (round % POSTGRES_TOO === POSTGRES_TOO - 1) await killPostgres(home.dataDir)
    await running.ended
    gone.abort()
    await sending
    running = startProcess(home)
    if (round % 7 === 6) {
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
  await until('every request to be answered', 60_000, async () => client.pending.size <= 4 || undefined)
  last.abort()
  await finishing
  t.comment(`${client.accepted.size} posts accepted over ${ROUNDS} kills and ${killedWhileStarting} during a start`)
  t.ok(client.accepted.size >= ROUNDS / 4, 'posts came in all the time')
  t.equal(client.pending.size, 0)

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
        t.same(
          [...client.accepted.keys()].filter((caption) => !counts.has(caption)),
          [],
          `nothing is lost on ${platform}`,
        )
        t.equal(live.length, client.accepted.size, `nothing else is live on ${platform}`)
        if (platform === 'facebook') {
          t.same(
            live.filter(({ caption, firstComment }) => firstComment !== `first ${caption}`),
            [],
            'first comments',
          )
        }
      }
    },
  )

  running.child.kill('SIGTERM')
  await running.ended
  t.equal(running.child.exitCode, 0, 'it ends well when asked to')
})
