import { post } from '../../domain/post/post.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { startChild } from './child.ts'
import { startEventStoreDb, startNats } from './named-servers.ts'
import { atMoments, moments } from './pace.ts'
import { ids, postQueued } from './post.ts'
import { cpuMs } from './process-cost.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts, connectIn, type ConnectedAccount } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import type { Core } from '../../app/wiring/core.ts'
import { environmentOf, openAt } from './service.ts'
import { percentile, type Measured } from './stats.ts'
import { bodyOf, registerWebhooks } from './webhooks.ts'

const POSTS = 150
const ACCOUNTS = { workspaces: 2, each: 5 }
const LOOK_EVERY_MS = 20
const PATIENCE_MS = 120_000
const PER_SECOND = 10
const PACED_S = 20

/** Processes by name, whose CPU time counts. */
type Processes = Readonly<Record<string, number>>

/**
 * A burst of posts, and posts at an even pace with a webhook each, on EventStoreDB, Postgres and NATS, with projections and
 * reactors as processes, against the embedded stack in one process. The platform accepts everything at once.
 */
export async function benchStacks(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const store = await startEventStoreDb(server.folder, options.progress)
    if (!store) return []
    closing.unshift(store.stop)
    const nats = await startNats(server.folder)
    closing.unshift(nats.stop)
    const receiver = await startReceiver()
    closing.unshift(receiver.stop)
    const named = { EVENTSTORE_URL: store.url, NATS_URL: nats.url }
    const postmaster = await server.postmaster()
    const shared = { EventStoreDB: store.pid, NATS: nats.pid, Postgres: postmaster }
    const several = { receiver, environment: named, roles: ['projections', 'reactors'], shared }
    const one = { receiver, environment: {}, roles: ['projections,reactors'], shared: { Postgres: postmaster } }
    const stacks = [await stack(server, 'named', several, options), await stack(server, 'embedded', one, options)]
    for (const { stop } of stacks) closing.unshift(stop)
    const measured = await takeTurns(
      stacks.flatMap(({ contenders }) => contenders),
      options,
    )
    const [speed = [], cost = [], webhooks = [], embeddedSpeed = [], embeddedCost = [], embeddedWebhooks = []] =
      measured
    const [ours, theirs] = [{ name: 'named stack' }, { name: 'embedded stack' }]
    const what = `burst of ${POSTS} posts, ${ACCOUNTS.workspaces * ACCOUNTS.each} accounts`
    const paced = `post to webhook, ${PER_SECOND} posts/s`
    return [
      compare(what, 'posts/s', { ...ours, rounds: speed }, { ...theirs, rounds: embeddedSpeed }, { ratio: 0.8 }),
      compare(`${what}, CPU per post`, 'ms', { ...ours, rounds: cost }, { ...theirs, rounds: embeddedCost }),
      compare(`${paced}, p50`, 'ms', { ...ours, rounds: webhooks }, { ...theirs, rounds: embeddedWebhooks }, AT_MOST),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

const AT_MOST = { ratio: 1.5, isMost: true, p99Ms: 300 } as const

interface StackOptions {
  readonly receiver: Receiver
  readonly environment: Readonly<Record<string, string>>
  /** One process each. */
  readonly roles: readonly string[]
  readonly shared: Processes
}

/** Both figures of a burst come from one run. */
async function stack(
  server: Server,
  name: string,
  { receiver, environment: more, roles, shared }: StackOptions,
  { progress }: RoundOptions,
): Promise<{ readonly contenders: readonly Contender[]; stop(): Promise<void> }> {
  const outbound = { OUTBOUND_ALLOW: new URL(receiver.url).host }
  const environment = { ...(await environmentOf(server, `stack_${name}`)), ...outbound, ...more }
  const core = await openAt(environment)
  const children = await Promise.all(
    roles.map((each) => startChild('./reactors-service.js', { ...environment, NODE_NAME: each, BENCH_ROLES: each })),
  )
  const processes: Processes = { ...Object.fromEntries(children.map(({ pid }, nth) => [roles[nth], pid])), ...shared }
  const accounts = await connectAccounts(core, ACCOUNTS)
  const webhooks = await registerWebhooks(core, receiver.url, { workspaces: ACCOUNTS.workspaces, each: 1 })
  const owners = webhooks.map(({ workspaceId }) => workspaceId)
  const heard = await connectIn(core, owners, ACCOUNTS.each)
  let cpuPerPost = NaN
  const burst = async () => {
    const before = await costOf(processes)
    const start = core.clock.now()
    const posts = await Promise.all(
      Array.from({ length: POSTS }, (_, nth) => queue(core, accounts[nth % accounts.length])),
    )
    await shownAsPublished(core, posts)
    const tookMs = core.clock.now() - start
    const after = await costOf(processes)
    const each = Object.keys(processes).map(
      (part) => [part, ((after[part] ?? 0) - (before[part] ?? 0)) / POSTS] as const,
    )
    cpuPerPost = each.reduce((sum, [, ms]) => sum + ms, 0)
    progress(`    ${each.map(([part, ms]) => `${part} ${ms.toFixed(1)} ms`).join(', ')}`)
    return { perSecond: (POSTS * 1000) / tookMs }
  }
  return {
    contenders: [
      { name: `${name} stack, posts/s`, measure: burst },
      { name: `${name} stack, CPU ms per post`, measure: async () => ({ perSecond: cpuPerPost }) },
      { name: `${name} stack, ms to the webhook`, measure: () => paced(core, heard, receiver) },
    ],
    stop: async () => {
      for (const child of children) await child.stop()
      await core.close()
    },
  }
}

/** From before a post is queued until its webhook is called. */
async function paced(core: Core, accounts: readonly ConnectedAccount[], receiver: Receiver): Promise<Measured> {
  const { clock } = core
  const begun = new Map<string, number>()
  const amount = PER_SECOND * PACED_S
  await atMoments(clock, moments(clock.now(), 1000 / PER_SECOND, amount), async (nth) => {
    const at = clock.now()
    begun.set(await queue(core, accounts[nth % accounts.length]), at)
  })
  const received = await receiver.take(amount)
  const took = received.map((message) => {
    const { runId } = bodyOf(message).data
    const at = begun.get(runId)
    if (at === undefined) throw new Error(`${runId} was delivered twice, or never queued`)
    begun.delete(runId)
    return message.at - at
  })
  const p50 = percentile(took, 50)
  return { perSecond: p50, p50, p99: percentile(took, 99) }
}

export async function queue({ log }: Core, account: ConnectedAccount | undefined): Promise<string> {
  const { id: accountId, workspaceId } = account ?? { id: '', workspaceId: '' }
  const { selections, hashtags, ...content } = postQueued(workspaceId, accountId)
  const data = { ...content, selections: { bluesky: [...selections.bluesky] }, hashtags: [...hashtags] }
  const id = resourceId('post', ids.ulid())
  await beginStream(log, post, id, { type: 'PostQueued', data })
  return id
}

/** @throws Error when one is not in time */
async function shownAsPublished({ db, clock }: Core, posts: readonly string[]): Promise<void> {
  const deadline = clock.now() + PATIENCE_MS
  const left = `select count(*)::int as n from read.posts where id = any($1) and status = 'published'`
  for (;;) {
    const { rows } = await db.query<{ n: number }>(left, [posts])
    if (rows[0]?.n === posts.length) return
    if (clock.now() > deadline) throw new Error(`${rows[0]?.n} of ${posts.length} posts were published`)
    await clock.sleep(LOOK_EVERY_MS)
  }
}

async function costOf(processes: Processes): Promise<Readonly<Record<string, number>>> {
  const costs = Object.entries(processes).map(async ([name, pid]) => [name, await cpuMs(pid)] as const)
  return Object.fromEntries(await Promise.all(costs))
}
