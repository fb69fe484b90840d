import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { post } from '../../domain/post/post.ts'
import { findPostmaster } from '../../infra/postgres/embedded/server.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { startChild } from './child.ts'
import { ids, postQueued } from './post.ts'
import { cpuMs } from './process-cost.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts, type ConnectedAccount } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { environmentOf, openAt } from './service.ts'

/** Starts an EventStoreDB, as `FANFARE_TEST_EVENTSTOREDB` does. */
const EVENTSTOREDB = process.env['FANFARE_BENCH_EVENTSTOREDB']
const POSTS = 150
const ACCOUNTS = { workspaces: 2, each: 5 }
const LOOK_EVERY_MS = 20
const PATIENCE_MS = 120_000

/** Processes by name, whose CPU time counts. */
type Processes = Readonly<Record<string, number>>

/**
 * A burst of posts on EventStoreDB, Postgres and NATS, with projections and reactors as processes, against the embedded stack in one
 * process. The platform accepts everything at once.
 */
export async function benchStacks(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  if (!EVENTSTOREDB) {
    options.progress('  skipped: FANFARE_BENCH_EVENTSTOREDB is not set to a program that starts EventStoreDB')
    return []
  }
  const closing: (() => Promise<unknown>)[] = []
  try {
    const [store, nats] = [await startEventStoreDb(server.folder, EVENTSTOREDB), await startNats(server.folder)]
    closing.unshift(store.stop, nats.stop)
    const named = { EVENTSTORE_URL: store.url, NATS_URL: nats.url }
    const postmaster = (await findPostmaster(await realpath(join(server.folder, 'postgres'))))?.pid ?? NaN
    const shared = { EventStoreDB: store.pid, NATS: nats.pid, Postgres: postmaster }
    const stacks = [
      await stack(server, 'named', { environment: named, roles: ['projections', 'reactors'], shared }, options),
      await stack(
        server,
        'embedded',
        { environment: {}, roles: ['projections,reactors'], shared: { Postgres: postmaster } },
        options,
      ),
    ]
    for (const { stop } of stacks) closing.unshift(stop)
    const rounds = await takeTurns(
      stacks.flatMap(({ contenders }) => contenders),
      options,
    )
    const [speed = [], cost = [], embeddedSpeed = [], embeddedCost = []] = rounds
    const [ours, theirs] = [{ name: 'named stack' }, { name: 'embedded stack' }]
    const what = `burst of ${POSTS} posts, ${ACCOUNTS.workspaces * ACCOUNTS.each} accounts`
    return [
      compare(what, 'posts/s', { ...ours, rounds: speed }, { ...theirs, rounds: embeddedSpeed }, { ratio: 0.8 }),
      compare(`${what}, CPU per post`, 'ms', { ...ours, rounds: cost }, { ...theirs, rounds: embeddedCost }),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

interface StackOptions {
  readonly environment: Readonly<Record<string, string>>
  /** One process each. */
  readonly roles: readonly string[]
  readonly shared: Processes
}

/** Both figures come from one run. */
async function stack(
  server: Server,
  name: string,
  { environment: more, roles, shared }: StackOptions,
  { progress }: RoundOptions,
): Promise<{ readonly contenders: readonly [Contender, Contender]; stop(): Promise<void> }> {
  const environment = { ...(await environmentOf(server, `stack_${name}`)), ...more }
  const core = await openAt(environment)
  const children = await Promise.all(
    roles.map((each) => startChild('./reactors-service.js', { ...environment, NODE_NAME: each, BENCH_ROLES: each })),
  )
  const processes: Processes = { ...Object.fromEntries(children.map(({ pid }, nth) => [roles[nth], pid])), ...shared }
  const accounts = await connectAccounts(core, ACCOUNTS)
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
    ],
    stop: async () => {
      for (const child of children) await child.stop()
      await core.close()
    },
  }
}

type Core = Awaited<ReturnType<typeof openAt>>

async function queue({ log }: Core, account: ConnectedAccount | undefined): Promise<string> {
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

async function startEventStoreDb(parent: string, program: string) {
  const [folder, port] = [join(parent, 'eventstoredb'), await freePort()]
  // The server takes such variables for its own settings.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_'))
  await promisify(execFile)(program, [folder, String(port)], { env: Object.fromEntries(own) })
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
  return { url: `esdb://127.0.0.1:${port}?tls=false`, pid, stop: async () => process.kill(pid, 'SIGKILL') }
}

async function startNats(parent: string) {
  const [folder, port] = [join(parent, 'nats'), await freePort()]
  await mkdir(folder)
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], { stdio: 'ignore' })
  await Promise.race([reachable(port), once(child, 'error').then(([error]) => Promise.reject(error as Error))])
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: child.pid ?? NaN,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function reachable(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
