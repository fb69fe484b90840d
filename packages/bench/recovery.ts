import pg from 'pg'
import type { Core } from '../../app/wiring/core.ts'
import { atMoments, moments } from './pace.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts, type ConnectedAccount } from './scheduled-posts.ts'
import { ignoreIdle, type Server } from './server.ts'
import { queue, startNamedServers, startStack } from './stack.ts'
import { percentile } from './stats.ts'

const PER_SECOND = 10
/** How long posts are queued before the kill, and after the server is up again. */
const CALM_S = 5
const AFTER_S = 20
const LOOK_EVERY_MS = 20
const ASK_AGAIN_MS = 50
/** A post is slow when it takes longer than this, and than three times what 99 of 100 took before the kill. */
const SLOW_MS = 500
const PATIENCE_MS = 120_000
const AIM = { ratio: 10, isMost: true } as const

/**
 * On the stack of EventStoreDB, Postgres and NATS, ten posts a second are queued, and one of the servers is killed. How long after
 * it is up again the last slow post is shown as published.
 */
export async function benchRecovery(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const named = await startNamedServers(server, options.progress)
    if (!named) return []
    closing.unshift(named.stop)
    const { core, stop } = await startStack(server, 'recovery', {
      ...{ environment: { ...named.environment, LOG_LEVEL: 'silent' }, roles: ['projections', 'reactors'] },
      servers: named.servers,
    })
    closing.unshift(stop)
    const accounts = await connectAccounts(core, { workspaces: 2, each: 5 })
    const kills = {
      EventStoreDB: named.store.killAndRestart,
      Postgres: () => killPostgres(server, core.settings.DATABASE_URL ?? ''),
      NATS: named.nats.killAndRestart,
    }
    const contenders = Object.entries(kills).map(([name, kill]): Contender => ({
      name: `${name}, seconds until all is as before`,
      measure: async () => ({ perSecond: await recovery(core, accounts, kill, options.progress) }),
    }))
    const measured = await takeTurns(contenders, { ...options, warmUps: 0 })
    return Object.keys(kills).map((name, nth) => {
      const rounds = measured[nth] ?? []
      const second = { name: 'a second', rounds: rounds.map(() => ({ perSecond: 1 })) }
      return compare(`kill -9 of ${name}, until posts are as fast as before`, 's', { name, rounds }, second, AIM)
    })
  } finally {
    for (const close of closing) await close()
  }
}

interface QueuedPost {
  readonly id: string
  /** When it was in the log, and when it was shown as published, ms since the epoch. */
  readonly queuedAt: number
  publishedAt?: number
}

/** @returns seconds from when the server was up again until the last slow post was published */
async function recovery(
  core: Core,
  accounts: readonly ConnectedAccount[],
  kill: () => Promise<void>,
  progress: (message: string) => void,
): Promise<number> {
  const { clock } = core
  const posts: QueuedPost[] = []
  const watched = watch(core, posts)
  const queueFor = (seconds: number) =>
    atMoments(clock, moments(clock.now(), 1000 / PER_SECOND, PER_SECOND * seconds), (nth) => oneMore(nth))
  const oneMore = async (nth: number) => {
    const id = await untilTaken(core, () => queue(core, accounts[nth % accounts.length]))
    posts.push({ id, queuedAt: clock.now() })
  }
  await queueFor(CALM_S)
  await watched.until(posts.length)
  const slowMs = Math.max(SLOW_MS, 3 * percentile(posts.map(tookMs), 99))
  const killedAt = clock.now()
  let upAt = NaN
  const restarted = kill().then(() => (upAt = clock.now()))
  const during: Promise<unknown>[] = []
  while (Number.isNaN(upAt)) {
    during.push(oneMore(during.length))
    await Promise.race([restarted, clock.sleep(1000 / PER_SECOND)])
  }
  await Promise.all([...during, queueFor(AFTER_S)])
  await watched.until(posts.length)
  await watched.stop()
  const slow = posts.filter((post) => tookMs(post) > slowMs && (post.publishedAt ?? 0) > upAt)
  const last = Math.max(upAt, ...slow.map(({ publishedAt = 0 }) => publishedAt))
  progress(`    away for ${upAt - killedAt} ms; ${slow.length} of ${posts.length} posts took more than ${slowMs} ms`)
  return (last - upAt) / 1000
}

const tookMs = ({ queuedAt, publishedAt = NaN }: QueuedPost) => publishedAt - queuedAt

/** Notes when posts are shown as published. */
function watch(core: Core, posts: readonly QueuedPost[]) {
  const { db, clock } = core
  const stopped = new AbortController()
  const left = () => posts.filter(({ publishedAt }) => publishedAt === undefined)
  const look = async () => {
    const ids = left().map(({ id }) => id)
    const { rows } = await db.query<{ id: string }>(
      `select id from read.posts where id = any($1) and status = 'published'`,
      [ids],
    )
    const shown = new Set(rows.map(({ id }) => id))
    for (const post of posts) if (shown.has(post.id)) post.publishedAt ??= clock.now()
  }
  const looking = (async () => {
    while (!stopped.signal.aborted) {
      await look().catch(ignoreIdle)
      await clock.sleep(LOOK_EVERY_MS)
    }
  })()
  return {
    until: async (count: number) => {
      const deadline = clock.now() + PATIENCE_MS
      while (posts.length < count || left().length > 0) {
        if (clock.now() > deadline) throw new Error(`${left().length} of ${posts.length} posts were not published`)
        await clock.sleep(LOOK_EVERY_MS)
      }
    },
    stop: async () => {
      stopped.abort()
      await looking
    },
  }
}

async function untilTaken<T>({ clock }: Core, ask: () => Promise<T>): Promise<T> {
  const deadline = clock.now() + PATIENCE_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (clock.now() > deadline) throw error
      await clock.sleep(ASK_AGAIN_MS)
    }
  }
}

/** The embedded server is started again by the process that started it, which is this one. */
async function killPostgres(server: Server, connectionString: string): Promise<void> {
  process.kill(await server.postmaster(), 'SIGKILL')
  for (;;) {
    const client = new pg.Client({ connectionString })
    client.on('error', ignoreIdle)
    const isUp = await client
      .connect()
      .then(() => client.query('select 1'))
      .then(() => true, ignoreIdle)
    await client.end().catch(ignoreIdle)
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
