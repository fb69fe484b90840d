import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { deliveryId } from '../domain/webhook/delivery.ts'
import { systemClock } from '../infra/runtime/clock.ts'
import {
  faultsOfAttempt,
  grouped,
  fickle,
  givenWatched,
  ok,
  type Answer,
  type Attempt,
  type Watched,
} from './support/hostile-receivers.ts'
import { checkedFetch } from './support/document.ts'
import { givenNatsServer, hasNats, type NatsServer } from './support/nats-server.ts'
import {
  givenHome,
  killPostgres,
  runCommand,
  startProcess,
  until,
  type Home,
  type ServiceProcess,
} from './support/service-process.ts'

/*
 * The service as users run it, with a second worker beside it and NATS between them, while posts come in and receivers
 * misbehave. The processes, Postgres and NATS are killed again and again. In the end each receiver must have been told of
 * each post, and only what a kill cut off may have come again.
 */

const ROUNDS = Number(process.env['FANFARE_TEST_DELIVERY_KILL_ROUNDS'] ?? 7)
const RECEIVERS = Number(process.env['FANFARE_TEST_DELIVERY_KILL_RECEIVERS'] ?? 10)
/** As many webhooks as a workspace may have: more receivers are those of several workspaces. */
const MOST_OF_A_WORKSPACE = 50
/** Between two posts of one sender: as many deliveries in a second, however many receivers there are. */
const POST_EVERY_MS = 10 * RECEIVERS
const LADDER_MS = [200, 300, 400, 500, 700, 1_000]

type Victim = 'service' | 'worker' | 'postgres' | 'nats' | 'the store of nats'
/** Who is killed in a round, all at the same moment. */
const TURNS: readonly (readonly Victim[])[] = [
  ['service', 'postgres'],
  ['worker', 'nats'],
  ['worker'],
  ['service'],
  ['nats'],
  ['postgres'],
  ['service', 'worker'],
  ['nats', 'the store of nats'],
  ['service', 'worker', 'postgres', 'nats'],
  ['worker', 'postgres'],
]

const slowly =
  (ms: number): Answer =>
  (response) =>
    void wait(ms).then(() => response.destroyed || ok(response, 1))
/** Of each ten two misbehave; the others take their time, so that kills find attempts under way. */
const CONDUCTS: readonly { readonly answer: Answer; readonly ends: 'delivered' | 'failed' }[] = [
  ...[0, 10, 20, 50, 100, 150, 250, 400].map((ms) => ({ answer: slowly(ms), ends: 'delivered' }) as const),
  { answer: fickle, ends: 'failed' },
  { answer: (response, nth) => (nth <= 3 ? fickle : ok)(response, nth), ends: 'delivered' },
]

interface Hook {
  readonly id: string
  readonly secret: string
  readonly receiver: Watched
  readonly ends: 'delivered' | 'failed'
}

interface Tenant {
  readonly call: Call
  /** Its account on Bluesky. */
  readonly account: string
  readonly hooks: readonly Hook[]
}

const credentialsSchema = z.object({ credentials: z.record(z.string(), z.string()), baseUrl: z.string() })
const eventSchema = z.object({
  id: z.string(),
  event: z.string(),
  createdAt: z.string(),
  data: z.record(z.string(), z.unknown()),
})
const eventsSchema = z.object({ events: z.array(eventSchema), nextCursor: z.string() })
type Told = z.infer<typeof eventSchema>
const deliverySchema = z.object({
  id: z.string(),
  eventId: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  attemptLog: z.array(z.object({ at: z.string() })),
})
const deliveriesSchema = z.object({ deliveries: z.array(deliverySchema), nextCursor: z.string().nullable() })
type Delivery = z.infer<typeof deliverySchema>

type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<unknown>

function callerOf({ port }: Home, key: string): Call {
  return async (method, path, body, headers = {}) => {
    const response = await checkedFetch(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return response.json()
  }
}

/** A workspace with an account of the sandbox, a key, and as many webhooks as there are conducts. */
async function givenTenant(t: Test, home: Home, name: string, conducts: typeof CONDUCTS): Promise<Tenant> {
  const run = async <T>(schema: z.ZodType<T>, ...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await runCommand(home, [...args, '--json'])
    if (code !== 0) throw new Error(stderr)
    return schema.parse(JSON.parse(stdout))
  }
  await run(z.unknown(), 'workspaces', 'create', name)
  const issued = await fetch(`http://127.0.0.1:${home.sandboxPort}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform: 'bluesky', label: name }),
  })
  const { credentials, baseUrl } = credentialsSchema.parse(await issued.json())
  const of = ['--workspace', name]
  const how = ['--credentials', JSON.stringify(credentials), '--base-url', baseUrl]
  const { id } = await run(z.object({ id: z.string() }), 'accounts', 'connect', 'bluesky', ...of, ...how)
  const call = callerOf(
    home,
    (await run(z.object({ key: z.string() }), 'keys', 'create', ...of, '--scopes', 'all')).key,
  )
  const hooks = conducts.map(async ({ answer, ends }): Promise<Hook> => {
    const receiver = await givenWatched(t, systemClock.now, answer)
    const body = { url: receiver.url, events: ['post.published', 'post.failed'] }
    const shown = z.object({ id: z.string(), secret: z.string() }).parse(await call('POST', '/webhooks', body))
    return { ...shown, receiver, ends }
  })
  return { call, account: id, hooks: await Promise.all(hooks) }
}

/** When a kill may have cut attempts off: from before it to when it was done (ms since the epoch). */
interface Cut {
  readonly from: number
  readonly to: number
}

/** Whatever can be killed, and set going again. */
function givenVictims(t: Test, home: Home, nats: NatsServer | undefined) {
  const second = { ...home, environment: { ...home.environment, NODE_NAME: 'second', SANDBOX: 'off' } }
  const start = {
    service: () => startProcess(home),
    worker: () => startProcess(second, ['serve', '--roles', 'reactors']),
  }
  const running = new Map<keyof typeof start, ServiceProcess>()
  t.teardown(() => running.forEach(({ child }) => child.kill('SIGKILL')))
  const cuts: Cut[] = []
  const names = ['service', 'worker'] as const
  let natsIsDown = false

  const revive = async () => {
    if (natsIsDown) await nats?.start()
    natsIsDown = false
    for (const name of names) if (!running.has(name)) running.set(name, start[name]())
    await Promise.all([...running.values()].map(({ ready }) => ready))
  }
  const kill = async (victims: readonly Victim[]) => {
    const from = systemClock.now()
    const killed = names.filter((name) => victims.includes(name)).map((name) => [name, running.get(name)] as const)
    for (const [, victim] of killed) victim?.child.kill('SIGKILL')
    if (victims.includes('postgres')) await killPostgres(home.dataDir)
    if (victims.some((victim) => victim === 'postgres' || victim === 'service' || victim === 'worker')) {
      cuts.push({ from, to: systemClock.now() })
    }
    if (victims.includes('nats')) {
      await nats?.kill()
      natsIsDown = true
    }
    if (victims.includes('the store of nats')) await nats?.wipe()
    for (const [name, victim] of killed) {
      await victim?.ended
      running.delete(name)
    }
  }
  const stop = async () => {
    for (const { child } of running.values()) child.kill('SIGTERM')
    await Promise.all([...running.values()].map(({ ended }) => ended))
    return [...running.values()].map(({ child }) => child.exitCode)
  }
  return { cuts, kill, revive, stop }
}

/** Posts until it is told to stop, each request again and again until it is answered. Returns the posts' ids. */
async function sendPosts({ call, account }: Tenant, home: Home, stopping: AbortSignal): Promise<readonly string[]> {
  const body = {
    mediaUrl: `http://127.0.0.1:${home.sandboxPort}/media/sample.jpg`,
    mediaType: 'image',
    selections: { bluesky: [account] },
  }
  const accepted: string[] = []
  const send = async (sender: number) => {
    for (let n = 0; !stopping.aborted; n += 1) {
      const caption = `Grüße ${sender}.${n} ✓`
      const answer = await untilAnswered(() =>
        call('POST', '/posts', { ...body, caption }, { 'idempotency-key': `post ${sender}.${n}` }),
      )
      accepted.push(z.object({ runId: z.string() }).parse(answer).runId)
      await wait(POST_EVERY_MS)
    }
  }
  await Promise.all([0, 1].map(send))
  return accepted
}

/** Follows the feed of events, through all kills, until `done` says of what it has that it is enough. */
async function followEvents(call: Call, done: (events: readonly Told[]) => boolean): Promise<readonly Told[]> {
  const events: Told[] = []
  let after = ''
  while (!done(events)) {
    const page = eventsSchema.parse(await untilAnswered(() => call('GET', `/events?limit=20${after}`)))
    events.push(...page.events)
    after = `&after=${page.nextCursor}`
    if (page.events.length === 0) await wait(100)
  }
  return events
}

function untilAnswered(ask: () => Promise<unknown>): Promise<unknown> {
  return until('an answer', 120_000, () => ask().catch(() => undefined))
}

async function deliveriesTo(call: Call, { id }: Hook): Promise<readonly Delivery[]> {
  const found: Delivery[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = deliveriesSchema.parse(
      await call('GET', `/webhooks/${id}/deliveries?limit=100${cursor && `&cursor=${cursor}`}`),
    )
    found.push(...page.deliveries)
    cursor = page.nextCursor
  }
  return found
}

interface Seen {
  readonly told: Told
  readonly hook: Hook
  readonly cuts: readonly Cut[]
  readonly came: readonly Attempt[]
}

/** What is wrong with one delivery, by what is shown of it and by what its receiver saw. */
function faultsOf({ id, status, attempts, attemptLog }: Delivery, { told, hook, cuts, came }: Seen): readonly string[] {
  const cutsIn = (begin = 0, end = begin) => cuts.filter(({ from, to }) => to >= begin && from <= end).length
  const isTaken = ({ status = 0 }: Attempt) => status >= 200 && status <= 299
  const cutsSeen = cutsIn(came[0]?.beganAt, came.at(-1)?.beganAt)
  const faults: string[] = []
  const must = (holds: boolean, what: string) => void (holds || faults.push(`${id}: ${what}`))
  must(id === deliveryId(told.id, hook.id), 'it has another id')
  must(status === hook.ends, `it is ${status}`)
  must(status === 'failed' ? attempts === 7 : attempts <= 7, `${attempts} attempts were counted`)
  must(attemptLog.length === attempts, `${attempts} attempts were counted, ${attemptLog.length} are told of`)
  must(came.length >= attempts, `${attempts} attempts were counted, ${came.length} came`)
  must(
    came.length <= attempts + cutsSeen,
    `${attempts} attempts were counted, ${came.length} came at ${cutsSeen} kills`,
  )
  must(came.some(isTaken) === (status === 'delivered'), 'it is not as it was answered')
  for (const [index, attempt] of came.entries()) {
    const { beganAt = Infinity } = came[index + 1] ?? {}
    const pause = beganAt - attempt.beganAt
    if (cutsSeen === 0) must(pause >= (LADDER_MS[index] ?? Infinity), `attempt ${index + 2} came after ${pause} ms`)
    const isAgain = beganAt < Infinity && isTaken(attempt)
    must(!isAgain || cutsIn(attempt.beganAt, beganAt) > 0, 'it came again after it was taken, with no kill between')
    if (attempt.body === undefined) continue
    const expected = { secret: hook.secret, body: JSON.stringify(told) }
    for (const fault of faultsOfAttempt(attempt, expected)) must(false, fault)
  }
  return faults
}

const skip = ROUNDS === 0 && 'FANFARE_TEST_DELIVERY_KILL_ROUNDS is 0'

t.test(`given a service whose parts are killed ${ROUNDS} times while posts come in`, { skip }, async (t) => {
  const nats = hasNats() ? await givenNatsServer(t) : undefined
  const home = await givenHome(t, {
    ...(nats && { NATS_URL: nats.url }),
    OUTBOUND_ALLOW: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_DAY: '1000000',
    // A post that is killed again and again is not given up.
    RETRY_DELAYS: Array(300).fill('1s').join(','),
    WEBHOOK_RETRY_DELAYS: LADDER_MS.map((ms) => `${ms}ms`).join(','),
  })
  const { cuts, kill, revive, stop } = givenVictims(t, home, nats)
  await revive()
  const all = Array.from({ length: RECEIVERS }, (_, nth) => CONDUCTS[nth % CONDUCTS.length]!)
  const tenants: Tenant[] = []
  for (let n = 0; n < RECEIVERS; n += MOST_OF_A_WORKSPACE) {
    tenants.push(await givenTenant(t, home, `tenant ${n}`, all.slice(n, n + MOST_OF_A_WORKSPACE)))
  }

  const enough = new AbortController()
  const working = tenants.map(async (tenant) => {
    let posted: readonly string[] | undefined
    const sending = sendPosts(tenant, home, enough.signal).then((ids) => (posted = ids))
    const events = await followEvents(tenant.call, (found) => posted !== undefined && found.length >= posted.length)
    return { ...tenant, accepted: await sending, events }
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    await wait(300 + Math.random() * 1_000)
    await kill(TURNS[round % TURNS.length] ?? [])
    // Those who are left go on without the others.
    await wait(Math.random() * 500)
    await revive()
  }
  enough.abort()
  const outcomes = await Promise.all(working)
  const posts = outcomes.flatMap(({ accepted }) => accepted).length

  const settled = async (call: Call, hook: Hook, expected: number) => {
    const all = await deliveriesTo(call, hook)
    return all.length >= expected && all.every(({ status }) => status !== 'pending') ? all : undefined
  }
  const began = systemClock.now()
  const deliveries = new Map<Hook, readonly Delivery[]>()
  for (const { call, hooks, accepted } of outcomes) {
    for (const hook of hooks) {
      const look = () => settled(call, hook, accepted.length).catch(() => undefined)
      deliveries.set(hook, await until('all deliveries to settle', 300_000, look))
    }
  }
  const made = [...deliveries.values()].flat().length
  t.comment(
    `${posts} posts made ${made} deliveries to ${RECEIVERS} receivers over ${ROUNDS} kills; all had settled after ${systemClock.now() - began} ms`,
  )

  await t.test('then the feed of events has each post once, to who follows it and to who asks again', async (t) => {
    t.ok(posts >= ROUNDS, 'posts came in all the time')
    for (const { call, accepted, events } of outcomes) {
      t.same(events.map(({ data }) => data['runId']).toSorted(), accepted.toSorted())
      t.same(await followEvents(call, (found) => found.length >= events.length), events)
    }
  })

  await t.test('then each receiver gets each event, and again only where a kill had interrupted it', (t) => {
    const faults: string[] = []
    let again = 0
    const eventsOf = outcomes.flatMap(({ hooks, events }) => hooks.map((hook) => ({ hook, events })))
    for (const { hook, events } of eventsOf) {
      const all = deliveries.get(hook) ?? []
      const byEvent = new Map(all.map((each) => [each.eventId, each]))
      const byDelivery = grouped(hook.receiver.attempts, ({ id }) => id)
      t.same([...byEvent.keys()].toSorted(), events.map(({ id }) => id).toSorted(), 'one for each event')
      t.equal(all.length, events.length)
      for (const told of events) {
        const shown = byEvent.get(told.id)
        if (!shown) continue
        const came = byDelivery.get(shown.id) ?? []
        faults.push(...faultsOf(shown, { told, hook, cuts, came }))
        again += came.length - shown.attempts
      }
      t.equal(byDelivery.size, all.length, 'nothing else came')
      t.same(hook.receiver.doubled, [], 'never twice at once')
    }
    t.same(faults.slice(0, 20), [], `${faults.length} faults`)
    t.comment(`${again} attempts were cut off and made again`)
    t.end()
  })

  t.same(await stop(), [0, 0], 'both end well when asked to')
})
