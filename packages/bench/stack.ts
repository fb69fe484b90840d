import type { Core } from '../../app/wiring/core.ts'
import { post } from '../../domain/post/post.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { startChild } from './child.ts'
import { startEventStoreDb, startNats, type NamedServer } from './named-servers.ts'
import { ids, postQueued } from './post.ts'
import { cpuMs } from './process-cost.ts'
import type { ConnectedAccount } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { environmentOf, openAt } from './service.ts'

/* The service on a stack of servers, one process for each entry of `roles`, on a platform that accepts everything at once. */

const LOOK_EVERY_MS = 20
/** How long a thousand posts may take. */
const PATIENCE_MS = 120_000

export interface Stack {
  readonly core: Core
  readonly name: string
  /** CPU time (ms) so far of each process of the service and of each server. */
  cost(): Promise<Costs>
  stop(): Promise<void>
}

/** By process. */
export type Costs = Readonly<Record<string, number>>

export interface StackOptions {
  readonly environment: Readonly<Record<string, string>>
  /** One process each, such as `projections,reactors`. */
  readonly roles: readonly string[]
  /** The servers whose cost counts, by name. */
  readonly servers: Readonly<Record<string, () => Promise<number>>>
}

export async function startStack(server: Server, name: string, options: StackOptions): Promise<Stack> {
  const { environment: more, roles, servers } = options
  const environment = { ...(await environmentOf(server, `stack_${name}`)), ...more }
  const core = await openAt(environment)
  const nodes = roles.map((each, nth) => ({ each, node: roles.indexOf(each) === nth ? each : `${each} ${nth}` }))
  const children = await Promise.all(
    nodes.map(async ({ each, node }) => ({
      node,
      ...(await startChild('./reactors-service.js', { ...environment, NODE_NAME: node, BENCH_ROLES: each })),
    })),
  )
  return {
    core,
    name,
    cost: async () => {
      const own = children.map(async ({ node, pid }) => [node, await cpuMs(pid)] as const)
      const others = Object.entries(servers).map(async ([which, pid]) => [which, await cpuMs(await pid())] as const)
      return Object.fromEntries(await Promise.all([...own, ...others]))
    },
    stop: async () => {
      for (const child of children) await child.stop()
      await core.close()
    },
  }
}

export interface NamedServers {
  readonly store: NamedServer
  readonly nats: NamedServer
  readonly environment: Readonly<Record<string, string>>
  readonly servers: StackOptions['servers']
  stop(): Promise<void>
}

/** @returns undefined if there is no EventStoreDB to start */
export async function startNamedServers(
  server: Server,
  progress: (message: string) => void,
): Promise<NamedServers | undefined> {
  const store = await startEventStoreDb(server.folder, progress)
  if (!store) return undefined
  const nats = await startNats(server.folder)
  return {
    ...{ store, nats, environment: { EVENTSTORE_URL: store.url, NATS_URL: nats.url } },
    servers: { EventStoreDB: async () => store.pid, NATS: async () => nats.pid, Postgres: server.postmaster },
    stop: async () => {
      await nats.stop()
      await store.stop()
    },
  }
}

export async function queue({ log }: Core, account: ConnectedAccount | undefined): Promise<string> {
  const { id: accountId, workspaceId } = account ?? { id: '', workspaceId: '' }
  const { selections, hashtags, ...content } = postQueued(workspaceId, accountId)
  const data = { ...content, selections: { bluesky: [...selections.bluesky] }, hashtags: [...hashtags] }
  const id = resourceId('post', ids.ulid())
  await beginStream(log, post, id, { type: 'PostQueued', data })
  return id
}

/** All at once. @returns what they cost each, and how fast they were published */
export async function burst(
  stack: Stack,
  accounts: readonly ConnectedAccount[],
  amount: number,
): Promise<{ readonly perSecond: number; readonly cpuPerPost: number; readonly each: Costs }> {
  const { core } = stack
  const before = await stack.cost()
  const start = core.clock.now()
  const posts = await Promise.all(
    Array.from({ length: amount }, (_, nth) => queue(core, accounts[nth % accounts.length])),
  )
  await shownAsPublished(core, posts)
  const tookMs = core.clock.now() - start
  const after = await stack.cost()
  const each = Object.keys(after).map((part) => [part, ((after[part] ?? 0) - (before[part] ?? 0)) / amount] as const)
  const cpuPerPost = each.reduce((sum, [, ms]) => sum + ms, 0)
  return { perSecond: (amount * 1000) / tookMs, cpuPerPost, each: Object.fromEntries(each) }
}

export const described = (costs: Costs) =>
  Object.entries(costs)
    .map(([part, ms]) => `${part} ${ms.toFixed(1)} ms`)
    .join(', ')

/** @throws Error when one is not in time */
export async function shownAsPublished({ db, clock }: Core, posts: readonly string[]): Promise<void> {
  const deadline = clock.now() + PATIENCE_MS * Math.max(1, posts.length / 1000)
  const left = `select count(*)::int as n from read.posts where id = any($1) and status = 'published'`
  for (;;) {
    const { rows } = await db.query<{ n: number }>(left, [posts])
    if (rows[0]?.n === posts.length) return
    if (clock.now() > deadline) throw new Error(`${rows[0]?.n} of ${posts.length} posts were published`)
    await clock.sleep(Math.max(LOOK_EVERY_MS, posts.length / 10))
  }
}
