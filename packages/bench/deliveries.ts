import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { Core } from '../../app/wiring/core.ts'
import { poolSizes } from '../../reactors/runtime/pools.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import { startWorker } from './child.ts'
import { deliveriesOf, deliverNothing } from './delivery-floor.ts'
import { mustSucceed } from './delivery-outcomes.ts'
import { atMoments, hands, moments } from './pace.ts'
import { startReceiver, type Received, type Receiver } from './receiver.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { openIdle, startAtWork } from './service.ts'
import { percentile, type Measured } from './stats.ts'
import type { Life } from './schedule-floor.ts'
import { bodyOf, finishPost, mustBeRight, registerWebhooks, type RegisteredWebhook } from './webhooks.ts'

const WORKSPACES = 5
const WEBHOOKS_EACH = 20
const POSTS = 250
const DELIVERIES = POSTS * WEBHOOKS_EACH

/** One webhook each, so that an event is one delivery; enough of them that none reaches its own limit. */
const PACED_WORKSPACES = 50
const PER_SECOND = 200
const PACED = PER_SECOND * 10

/** From the event that ends a post to the message at the webhook, against a sender that does nothing else. */
export async function benchDeliveries(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  try {
    const receiver = await startReceiver()
    closing.unshift(receiver.stop)
    const { core, stop } = await startAtWork(server, 'deliveries', { OUTBOUND_ALLOW: new URL(receiver.url).host })
    closing.unshift(stop)
    const agent = new Agent({ connections: poolSizes(core.settings.WORKER_CONCURRENCY).deliver })
    closing.unshift(() => agent.close())

    const idle = await openIdle(server, 'deliveries_floor')
    closing.unshift(idle.close)
    const scene = { core, receiver, agent, idle, messages: join(server.folder, 'deliveries.json') }
    const many = await registerWebhooks(core, receiver.url, { workspaces: WORKSPACES, each: WEBHOOKS_EACH })
    const few = await registerWebhooks(core, receiver.url, { workspaces: PACED_WORKSPACES, each: 1 })
    const [drain, loop, durable] = draining(scene, many)
    const [paced, sender] = pacing(scene, few)
    const peers: Contender[] = []
    for (const name of ['graphile-worker', 'pg-boss']) {
      const { peer, stop } = await queueOf(server, scene, name)
      closing.unshift(stop)
      peers.push(peer)
    }
    const contenders = [drain, loop, durable, paced, sender, ...peers]
    const [a = [], b = [], e = [], c = [], d = [], ...f] = await takeTurns(contenders, options)
    const what = `deliveries, ${DELIVERIES.toLocaleString('en')} of ${POSTS} events to ${many.length} webhooks`
    return [
      compare(what, 'deliveries/s', { name: drain.name, rounds: a }, { name: loop.name, rounds: b }, { ratio: 0.5 }),
      compare(what, 'deliveries/s', { name: drain.name, rounds: a }, { name: durable.name, rounds: e }),
      ...peers.map(({ name }, nth) =>
        compare(what, 'deliveries/s', { name: drain.name, rounds: a }, { name, rounds: f[nth] ?? [] }, { ratio: 1 }),
      ),
      compare(
        `event to webhook, ${PER_SECOND} events/s`,
        'deliveries/s',
        { name: paced.name, rounds: c },
        { name: sender.name, rounds: d },
        { ratio: 0.95, p99Ms: 100 },
      ),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

interface Scene {
  readonly core: Core
  readonly receiver: Receiver
  readonly agent: Agent
  /** A separate log with its read models. */
  readonly idle: Core
  /** The file with the messages of the last round. */
  readonly messages: string
}

/** All at once. Time from the first event to the last outcome in the log, and to the last response. */
function draining(scene: Scene, webhooks: readonly RegisteredWebhook[]): readonly [Contender, Contender, Contender] {
  const { core, receiver, idle } = scene
  const { clock } = core
  const { deliver: atOnce } = poolSizes(core.settings.WORKER_CONCURRENCY)
  let messages: readonly Received[] = []
  let lives: readonly Life[] = []
  const service = async (): Promise<Measured> => {
    const start = clock.now()
    const finishing = Array.from({ length: POSTS }, (_, index) => finishPost(core, workspaceOf(webhooks, index)))
    const posts = await Promise.all(finishing)
    messages = await receiver.take(DELIVERIES)
    const end = await mustSucceed(core, posts, DELIVERIES)
    mustBeRight(messages, posts, webhooks)
    lives = await deliveriesOf(core, posts)
    await writeFile(scene.messages, JSON.stringify(messages))
    return { perSecond: (DELIVERIES * 1000) / (end - start) }
  }
  const loop = async (): Promise<Measured> => {
    const hand = hands(atOnce)
    const start = clock.now()
    await Promise.all(messages.map(({ path, body }) => hand(() => send(scene, path, body))))
    const end = clock.now()
    await receiver.take(DELIVERIES)
    return { perSecond: (DELIVERIES * 1000) / (end - start) }
  }
  const durable = async (): Promise<Measured> => {
    const tookMs = await deliverNothing(idle, lives, atOnce)
    return { perSecond: (DELIVERIES * 1000) / tookMs }
  }
  return [
    { name: 'Fanfare', measure: service },
    { name: `undici, ${atOnce} at once`, measure: loop },
    { name: 'the same events and rows', measure: durable },
  ]
}

/** The same messages through a job queue, in a process and a database of its own. */
async function queueOf(
  server: Server,
  { core, receiver, messages }: Scene,
  name: string,
): Promise<{ readonly peer: Contender; stop(): Promise<void> }> {
  const worker = await startWorker('./delivery-peers.js', {
    ...{ PEER: name, DATABASE_URL: await server.database(name.replace('-', '_')), RECEIVER: receiver.url },
    ...{ MESSAGES: messages, EACH: String(WEBHOOKS_EACH) },
    AT_ONCE: String(poolSizes(core.settings.WORKER_CONCURRENCY).deliver),
  })
  const measure = async () => {
    const measured = await worker.measure()
    await receiver.take(DELIVERIES)
    return measured
  }
  return { peer: { name, measure }, stop: worker.stop }
}

/** One after the other. Latency from the event's own time to the message's headers at the receiver. */
function pacing(scene: Scene, webhooks: readonly RegisteredWebhook[]): readonly [Contender, Contender] {
  const { core, receiver } = scene
  const { clock } = core
  const due = () => moments(clock.now(), 1000 / PER_SECOND, PACED)
  let messages: readonly Received[] = []
  const service = async (): Promise<Measured> => {
    const posts = await atMoments(clock, due(), (index) => finishPost(core, workspaceOf(webhooks, index)))
    messages = await receiver.take(PACED)
    await mustSucceed(core, posts, PACED)
    mustBeRight(messages, posts, webhooks)
    return latency(messages)
  }
  const sender = async (): Promise<Measured> => {
    const told = messages.map((message) => ({ path: message.path, event: bodyOf(message) }))
    await atMoments(clock, due(), async (index) => {
      const { path, event } = told[index] ?? {}
      await send(scene, path ?? '', JSON.stringify({ ...event, createdAt: isoTime(clock.now()) }))
    })
    return latency(await receiver.take(PACED))
  }
  return [
    { name: 'Fanfare', measure: service },
    { name: 'undici at the same pace', measure: sender },
  ]
}

/** Cycles through the distinct workspaces. */
function workspaceOf(webhooks: readonly RegisteredWebhook[], index: number): string {
  const workspaceIds = [...new Set(webhooks.map(({ workspaceId }) => workspaceId))]
  return workspaceIds[index % workspaceIds.length] ?? ''
}

async function send({ receiver, agent }: Scene, path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await request(`${receiver.url}${path}`, { method: 'POST', headers, body, dispatcher: agent })
  await answer.body.dump()
  if (answer.statusCode !== 204) throw new Error(`the receiver responded with ${answer.statusCode}`)
}

export function latency(messages: readonly Received[]): Measured {
  const made = messages.map((message) => Date.parse(bodyOf(message).createdAt))
  const took = messages.map(({ at }, index) => at - (made[index] ?? NaN))
  const span = Math.max(...messages.map(({ at }) => at)) - Math.min(...made)
  return { perSecond: (messages.length * 1000) / span, p50: percentile(took, 50), p99: percentile(took, 99) }
}
