import { atMoments, moments } from './pace.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts, connectIn, type ConnectedAccount } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { burst, described, queue, startNamedServers, startStack, type Stack } from './stack.ts'
import { percentile, type Measured } from './stats.ts'
import { bodyOf, registerWebhooks } from './webhooks.ts'

const POSTS = 150
const ACCOUNTS = { workspaces: 2, each: 5 }
const PER_SECOND = 10
const PACED_S = 20
const AT_MOST = { ratio: 1.5, isMost: true, p99Ms: 300 } as const

/**
 * A burst of posts, and posts at an even pace with a webhook each, on EventStoreDB, Postgres and NATS, with projections and
 * reactors as processes, against the embedded stack in one process.
 */
export async function benchStacks(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const named = await startNamedServers(server, options.progress)
    if (!named) return []
    closing.unshift(named.stop)
    const receiver = await startReceiver()
    closing.unshift(receiver.stop)
    const outbound = { OUTBOUND_ALLOW: new URL(receiver.url).host }
    const several = {
      ...{ environment: { ...named.environment, ...outbound }, roles: ['projections', 'reactors'] },
      servers: named.servers,
    }
    const one = { environment: outbound, roles: ['projections,reactors'], servers: { Postgres: server.postmaster } }
    const contenders: Contender[] = []
    for (const [name, stackOptions] of [['named', several] as const, ['embedded', one] as const]) {
      const stack = await startStack(server, name, stackOptions)
      closing.unshift(stack.stop)
      contenders.push(...(await measuredOn(stack, receiver, options)))
    }
    const measured = await takeTurns(contenders, options)
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

/** Both figures of a burst come from one run. */
async function measuredOn(stack: Stack, receiver: Receiver, { progress }: RoundOptions): Promise<readonly Contender[]> {
  const { core, name } = stack
  const accounts = await connectAccounts(core, ACCOUNTS)
  const webhooks = await registerWebhooks(core, receiver.url, { workspaces: ACCOUNTS.workspaces, each: 1 })
  const owners = webhooks.map(({ workspaceId }) => workspaceId)
  const heard = await connectIn(core, owners, ACCOUNTS.each)
  let cost = NaN
  const speed = async () => {
    const { perSecond, cpuPerPost, each } = await burst(stack, accounts, POSTS)
    cost = cpuPerPost
    progress(`    ${described(each)}`)
    return { perSecond }
  }
  return [
    { name: `${name} stack, posts/s`, measure: speed },
    { name: `${name} stack, CPU ms per post`, measure: async () => ({ perSecond: cost }) },
    { name: `${name} stack, ms to the webhook`, measure: () => paced(stack, heard, receiver) },
  ]
}

/** From before a post is queued until its webhook is called. */
async function paced({ core }: Stack, accounts: readonly ConnectedAccount[], receiver: Receiver): Promise<Measured> {
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
