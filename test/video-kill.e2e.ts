import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import * as z from 'zod'
import { checkedFetch } from './support/document.ts'
import { givenHome, killPostgres, runCommand, startProcess, until } from './support/service-process.ts'

/*
 * The service as users run it, killed while videos are ordered, rendered for real, failed and deleted. Every order is repeated
 * under its Idempotency-Key until it is answered. In the end every credit must be accounted for, and no work begun twice.
 */

const ROUNDS = Number(process.env['FANFARE_TEST_KILL_ROUNDS'] ?? 4)
/** Of each round, by what becomes of them. */
const PROMPTS = ['A cat', 'A dog [sandbox video=fail]', 'A fish [sandbox video=lost]', 'A bird to be deleted'] as const
const DELETED = PROMPTS[3]

const videoSchema = z.object({ status: z.string(), statusMessage: z.string(), voiceoverUrl: z.string().optional() })
const ledgerSchema = z.object({
  entries: z.array(
    z.object({
      kind: z.enum(['granted', 'charged', 'refunded']),
      amount: z.number(),
      balance: z.number(),
      videoId: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
})
const jobsSchema = z.array(z.object({ key: z.string(), prompt: z.string() }))

t.test(`given a service that is killed ${ROUNDS} times while videos are made`, async (t) => {
  const home = await givenHome(t, {
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '1000000',
    RETRY_DELAYS: '1s,1s,1s',
  })
  let service = startProcess(home)
  t.teardown(() => service.child.kill('SIGKILL'))
  await service.ready
  const made = await runCommand(home, ['keys', 'create', '--workspace', 'demo', '--scopes', 'all', '--json'])
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(made.stdout))
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await checkedFetch(`http://127.0.0.1:${home.port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  let isBeingKilled = true
  const answered = async <T>(ask: () => Promise<T>): Promise<T> => {
    let error: unknown
    const tried = () => ask().catch((cause: unknown) => void (error = cause))
    while (isBeingKilled) {
      const answer = await tried()
      if (answer !== undefined) return answer
      await wait(50)
    }
    return until('an answer', 60_000, tried).catch((cause: Error) => {
      throw new Error(`${cause.message}: ${String(error)}`, { cause })
    })
  }
  const order = async (round: number, prompt: string): Promise<readonly [string, string]> => {
    const body = { prompt: `${prompt} ${round}`, aiVoiceover: prompt === PROMPTS[0] }
    const { videoId } = await answered(async () =>
      z
        .object({ videoId: z.string() })
        .parse((await call('POST', '/videos', body, { 'idempotency-key': body.prompt })).body),
    )
    if (prompt === DELETED) await answered(() => call('DELETE', `/videos/${videoId}`))
    return [videoId, prompt]
  }

  const ordered: Promise<readonly [string, string]>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    ordered.push(...PROMPTS.map((prompt) => order(round, prompt)))
    await wait(200 + Math.random() * 1_500)
    service.child.kill('SIGKILL')
    if (round % 2 === 1) await killPostgres(home.dataDir)
    await service.ended
    service = startProcess(home)
    await service.ready
  }
  isBeingKilled = false
  const videos = new Map(await Promise.all(ordered))
  t.equal(videos.size, ROUNDS * PROMPTS.length)
  const settled = async (id: string) => {
    const { status, body } = await call('GET', `/videos/${id}`)
    const video = status === 404 ? { status: 'deleted', statusMessage: '' } : videoSchema.parse(body)
    return video.status === 'processing' ? undefined : video
  }
  const ends = new Map<string, z.infer<typeof videoSchema>>()
  for (const id of videos.keys())
    ends.set(id, await until(`video ${id} to end`, 120_000, () => settled(id).catch(() => undefined)))
  const ledger = async () => ledgerSchema.parse((await call('GET', '/credits/ledger?limit=100')).body).entries
  const failures = [...ends.values()].filter(({ status }) => status === 'failed').length
  await until('all refunds', 60_000, async () =>
    (await ledger()).filter(({ reason }) => reason === 'failed').length === failures ? true : undefined,
  )

  await t.test('then each has come to its end', (t) => {
    for (const [id, prompt] of videos) {
      const { status, statusMessage = '', voiceoverUrl } = ends.get(id) ?? {}
      const expected = prompt === DELETED ? 'deleted' : prompt === PROMPTS[1] ? 'failed' : 'ready'
      t.equal(status, expected, `${prompt}: ${statusMessage}`)
      if (prompt === PROMPTS[0]) t.match(voiceoverUrl, /\.wav$/)
    }
    t.end()
  })

  await t.test('then each was charged once, and paid back once where it came to nothing', async (t) => {
    const entries = await ledger()
    let balance = 0
    for (const entry of entries.toReversed()) {
      balance += entry.kind === 'charged' ? -entry.amount : entry.amount
      t.equal(entry.balance, balance, JSON.stringify(entry))
    }
    const of = (id: string, kind: string) => entries.filter((entry) => entry.videoId === id && entry.kind === kind)
    for (const [id, prompt] of videos) {
      const [charges, refunds] = [of(id, 'charged'), of(id, 'refunded')]
      t.same(
        charges.map(({ amount }) => amount),
        [prompt === PROMPTS[0] ? 2 : 1],
      )
      // What was deleted may have been ready before.
      if (prompt === DELETED) t.ok(refunds.length <= 1)
      else t.equal(refunds.length, prompt === PROMPTS[1] ? 1 : 0, prompt)
    }
    t.match((await call('GET', '/credits')).body, { credits: balance })
  })

  await t.test('then no work was begun twice', async (t) => {
    const response = await fetch(`http://127.0.0.1:${home.sandboxPort}/_control/videos`)
    const jobs = jobsSchema.parse(await response.json())
    t.equal(new Set(jobs.map((job) => job.key)).size, jobs.length)
    t.equal(new Set(jobs.map(({ prompt }) => prompt)).size, jobs.length)
  })

  service.child.kill('SIGTERM')
  t.same(await service.ended, [0, null])
})
