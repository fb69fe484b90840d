import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { findPostmaster } from '../../infra/postgres/embedded/server.ts'
import { streamName } from '../../domain/core/event.ts'
import { post } from '../../domain/post/post.ts'
import type { Core } from '../../app/wiring/core.ts'
import { AUTOMATE_REPLIES } from '../../reactors/conversations/automate-replies.ts'
import { FAN_OUT } from '../../reactors/webhooks/fan-out.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { atMoments, moments } from './pace.ts'
import { ids, postQueued } from './post.ts'
import { cpuMs } from './process-cost.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts, published, type ConnectedAccount } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { preparedService, type ServiceAtWork } from './service.ts'

const [FEWEST, ...MORE] = [10, 1_000, 100_000] as const
const ACCOUNTS_EACH = 10
const IDLE_MS = 30_000
/** Time for startup work to finish before measuring: it costs more than an idle minute. */
const SETTLE_MS = 15_000
const POSTS = 200
const EVERY_MS = 20

/** The cost of an idle minute and of a post, by the number of connected accounts, none of which has due work. */
export async function benchAccounts(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const postmaster = await findPostmaster(await realpath(join(server.folder, 'postgres')))
  const contenders: Contender[] = []
  for (const size of [FEWEST, ...MORE]) {
    contenders.push(...(await costing(server, size, postmaster?.pid ?? NaN)))
    options.progress(`  ${size.toLocaleString('en')} accounts`)
  }
  const rounds = await takeTurns(contenders, { ...options, warmUps: 0 })
  const costs = [`idle, CPU per minute`, `idle, queries per minute`, `publishing, CPU per post`]
  return MORE.flatMap((size, nth) =>
    costs.map((what, cost) =>
      compare(
        `${what}, ${size.toLocaleString('en')} accounts`,
        what.includes('CPU') ? 'ms' : 'queries',
        { name: 'Fanfare', rounds: rounds[(nth + 1) * costs.length + cost] ?? [] },
        { name: `${FEWEST} accounts`, rounds: rounds[cost] ?? [] },
        { ratio: 1.5, isMost: true },
      ),
    ),
  )
}

interface Cost {
  readonly cpuMs: number
  readonly queries: number
}

/** All three costs come from one run. */
async function costing(server: Server, size: number, postmaster: number): Promise<readonly Contender[]> {
  let accounts: readonly ConnectedAccount[] = []
  const start = await preparedService(server, `accounts_${size}`, async (core) => {
    accounts = await connectAccounts(core, { workspaces: size / ACCOUNTS_EACH, each: ACCOUNTS_EACH })
    await core.projector.catchUp()
    // The followers start at the end of the log, with nothing to catch up on.
    await core.db.query(
      'insert into service.followers select name, (select max(position) from log.events) from unnest($1::text[]) as name',
      [[FAN_OUT.name, AUTOMATE_REPLIES.name]],
    )
    // As if every account had just been checked, and Postgres had vacuumed.
    await core.db.query("update read.agenda set due_at = now() + interval '1 day'")
    await core.db.query('vacuum analyze')
  })
  let [idle, publishing]: readonly (Cost | undefined)[] = []
  const run = async (): Promise<void> => {
    const service = await start()
    try {
      const { clock } = service.core
      await clock.sleep(SETTLE_MS)
      idle = await costOf(service, postmaster, () => clock.sleep(IDLE_MS))
      publishing = await costOf(service, postmaster, () => publish(service.core, accounts))
    } finally {
      await service.stop()
    }
  }
  const name = `${size.toLocaleString('en')} accounts`
  const aMinute = (value: number | undefined = NaN) => ({ perSecond: (value * 60_000) / IDLE_MS })
  return [
    { name: `${name}, idle, ms per minute`, measure: () => run().then(() => aMinute(idle?.cpuMs)) },
    { name: `${name}, idle, queries per minute`, measure: async () => aMinute(idle?.queries) },
    { name: `${name}, ms per post`, measure: async () => ({ perSecond: (publishing?.cpuMs ?? NaN) / POSTS }) },
  ]
}

/** Costs of the service and of Postgres together. */
async function costOf({ core, pid }: ServiceAtWork, postmaster: number, work: () => Promise<unknown>): Promise<Cost> {
  const count = async () => {
    const { rows } = await core.db.query<{ n: string }>(
      'select xact_commit as n from pg_stat_database where datname = current_database()',
    )
    return { cpuMs: (await cpuMs(pid)) + (await cpuMs(postmaster)), queries: Number(rows[0]?.n) }
  }
  const before = await count()
  await work()
  const after = await count()
  return { cpuMs: after.cpuMs - before.cpuMs, queries: after.queries - before.queries }
}

async function publish(core: Core, accounts: readonly ConnectedAccount[]): Promise<void> {
  const due = moments(core.clock.now(), EVERY_MS, POSTS)
  const streams = await atMoments(core.clock, due, async (index) => {
    const { id: accountId, workspaceId } = accounts[(index * 7_919) % accounts.length] ?? { id: '', workspaceId: '' }
    const { selections, hashtags, ...content } = postQueued(workspaceId, accountId)
    const data = { ...content, selections: { bluesky: [...selections.bluesky] }, hashtags: [...hashtags] }
    const id = resourceId('post', ids.ulid())
    await beginStream(core.log, post, id, { type: 'PostQueued', data })
    return streamName(post, id)
  })
  await published(core, streams, due)
}
