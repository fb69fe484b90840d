import type { Pool } from 'pg'
import { engagementRate, figuresOf } from '../../domain/analytics/figures.ts'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { topPosts, totalsOf, type PostsWithin, type Totals } from '../../projections/models/analytics.ts'
import { projections } from '../../projections/models/index.ts'
import { layOutTables } from '../../projections/engine/tables.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'
import { percentile, type Measured } from './stats.ts'

const POSTS = 100_000
const ACCOUNTS = 20
const DAYS = 90
const ANSWERS = 20
const DAY_MS = 86_400_000

const accountIds = Array.from({ length: ACCOUNTS }, (_, nth) => `acc_${String(nth).padStart(2, '0')}`)

/** The summary of a workspace with many posts, against reading the rows and adding them up. */
export async function benchAnalytics(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('analytics')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  try {
    await layOutTables(db, projections)
    const now = Date.now()
    await fill(db, now)
    options.progress(`  ${POSTS} posts of ${ACCOUNTS} accounts`)
    const posts = within(now)
    const expected = await plainTotals(db, posts)
    const ours = answering('Fanfare', () => summary(db, posts), expected)
    const theirs = answering('reading the rows', () => plainTotals(db, posts), expected)
    const [a = [], b = []] = await takeTurns([ours, theirs], options)
    const what = `summary of ${POSTS.toLocaleString('en')} posts`
    const aim = { ratio: 5, p99Ms: 50 }
    return [compare(what, 'answers/s', { name: ours.name, rounds: a }, { name: theirs.name, rounds: b }, aim)]
  } finally {
    await db.end()
  }
}

function within(now: number): PostsWithin {
  const iso = (ms: number) => new Date(ms).toISOString()
  return { accountIds, since: iso(now - DAYS * DAY_MS), until: iso(now + 1), asKnownThen: false }
}

/** The queries that the endpoint makes against the read models. */
async function summary(db: Pool, posts: PostsWithin): Promise<Totals> {
  const [totals, top] = await Promise.all([totalsOf(db, posts), topPosts(db, posts, { ranking: 'views', limit: 3 })])
  if (top.length !== 3) throw new Error(`found ${top.length} top posts instead of 3`)
  return totals
}

/** Sequential requests. */
function answering(name: string, answer: () => Promise<Totals>, expected: Totals): Contender {
  const measure = async (): Promise<Measured> => {
    const times: number[] = []
    for (let nth = 0; nth < ANSWERS; nth += 1) {
      const start = performance.now()
      const found = await answer()
      times.push(performance.now() - start)
      if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${name} found ${JSON.stringify(found)}`)
    }
    const total = times.reduce((sum, time) => sum + time, 0)
    return { perSecond: (ANSWERS * 1000) / total, p50: percentile(times, 50), p99: percentile(times, 99) }
  }
  return { name, measure }
}

async function plainTotals(db: Pool, { since, until }: PostsWithin): Promise<Totals> {
  const { rows } = await db.query<{ metrics: PostMetrics | null }>(
    'select metrics from read.post_metrics where published_at >= $1 and published_at < $2 and account_id = any($3)',
    [since, until, accountIds],
  )
  const figures = rows.map(({ metrics }) => figuresOf(metrics ?? {}))
  const add = (name: 'views' | 'interactions') => figures.reduce((sum, post) => sum + (post[name] ?? 0), 0)
  const rate = engagementRate(figures)
  return {
    ...{ posts: rows.length, views: add('views'), interactions: add('interactions') },
    ...(rate !== undefined && { engagementRate: rate }),
  }
}

/** Writes the rows that the projector would, for X posts spread evenly over the days. */
async function fill(db: Pool, now: number): Promise<void> {
  const [impressions, likes, replies] = ['n % 9973 * 10', 'n % 97 * 10', 'n % 13']
  await db.query(
    `insert into read.post_metrics (id, post_id, account_id, platform, platform_post_id, published_at, media_type, hashtags,
       metrics, captured_at, due_at, views, interactions, likes, comments)
     select 'met_' || n, 'post_' || n, ($2::text[])[n % ${ACCOUNTS} + 1], 'x', n::text,
       $1::timestamptz - (n * interval '${DAYS} days' / ${POSTS}), 'image', '["harbour","morning"]',
       json_build_object('impressions', ${impressions}, 'likes', ${likes}, 'replies', ${replies}), $1, $1,
       ${impressions}, ${likes} + ${replies}, ${likes}, ${replies}
     from generate_series(0, ${POSTS - 1}) n`,
    [new Date(now - 1).toISOString(), accountIds],
  )
  await db.query('vacuum analyze read.post_metrics')
}
