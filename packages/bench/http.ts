import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { startChild, type Child } from './child.ts'
import { CONNECTIONS, post } from './load.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'

const REQUESTS = 15_000
/** The limiter counts every request, but must refuse none. */
export const NO_LIMIT = '1000000000'

/** `POST /posts` until the 202, against the minimum that could accept it durably. */
export async function benchHttp(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  const open = async (file: string, name: string, environment: Readonly<Record<string, string>>) => {
    const connectionString = await server.database(name)
    const child = await startChild(file, { ...environment, DATABASE_URL: connectionString })
    const pool = poolOf16(connectionString)
    closing.push(child.stop, () => pool.end())
    return { child, pool }
  }
  try {
    const service = await open('./http-service.js', 'http_service', {
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: join(server.folder, 'service'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      RATE_LIMIT_PER_DAY: NO_LIMIT,
    })
    const baseline = await open('./http-baseline.js', 'http_baseline', {})
    const ours = posting('Fanfare', service.child, () => postsShown(service.pool))
    const theirs = posting('Fastify + zod + insert', baseline.child, () => count(baseline.pool, 'posts'))
    const [a = [], b = []] = await takeTurns([ours, theirs], options)
    const what = `POST /posts, ${CONNECTIONS} connections`
    const mine = { name: ours.name, rounds: a }
    return [compare(what, 'posts/s', mine, { name: theirs.name, rounds: b }, { ratio: 0.6, p99Ms: 25 })]
  } finally {
    for (const close of closing) await close()
  }
}

function posting(name: string, child: Child, stored: () => Promise<number>): Contender {
  return {
    name,
    measure: async () => {
      const before = await stored()
      const measured = await post(child, REQUESTS)
      const added = (await stored()) - before
      if (added !== REQUESTS) throw new Error(`${name} accepted ${REQUESTS} posts but stored ${added}`)
      return measured
    },
  }
}

/** The posts that a client can list. Each 202 waited for its own post to be projected, so none may be missing. */
async function postsShown(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ dense: boolean; queued: string; shown: string; owed: string }>(
    `select (select max(position) = count(*) from log.events) as dense,
       (select count(*) from log.events where type = 'PostQueued') as queued,
       (select count(*) from read.posts) as shown,
       (select count(*) from read.agenda where kind = 'publish') as owed`,
  )
  const { dense, queued, shown, owed } = rows[0] ?? {}
  if (!dense) throw new Error('there are gaps in the positions')
  if (queued !== shown || queued !== owed)
    throw new Error(`${queued} posts in the log, ${shown} shown, ${owed} pending`)
  return Number(shown)
}

async function count(pool: Pool, table: string): Promise<number> {
  return Number((await pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count)
}
