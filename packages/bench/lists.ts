import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { Pool } from 'pg'
import { startChild, type Child } from './child.ts'
import { hands } from './pace.ts'
import { postTo } from './post.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'
import { percentile, type Measured } from './stats.ts'

const FEW = 1_000
const MANY = 1_000_000
const REQUESTS = 2_000
const AT_ONCE = 4
/** Rows per statement; one may take half a minute. */
const FILLED_AT_ONCE = 50_000
/** The limiter counts every request, but must refuse none. */
const NO_LIMIT = '1000000000'

/** One post, and a page of posts anywhere in the list, of a workspace with a million posts against one with a thousand. */
export async function benchLists(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<void>)[] = []
  const open = async (name: string, amount: number): Promise<Shelf> => {
    const connectionString = await server.database(name)
    const child = await startChild('./http-service.js', {
      ...{ DATABASE_URL: connectionString, DATA_DIR: join(server.folder, name), PORT: '0', HOST: '127.0.0.1' },
      ...{ ENCRYPTION_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'warn' },
      ...{ RATE_LIMIT_PER_MINUTE: NO_LIMIT, RATE_LIMIT_PER_DAY: NO_LIMIT },
    })
    const db = poolOf16(connectionString)
    const agent = new Agent({ connections: AT_ONCE })
    closing.unshift(
      child.stop,
      () => db.end(),
      () => agent.close(),
    )
    await fill(db, amount)
    options.progress(`  ${amount.toLocaleString('en')} posts`)
    return { child, agent, amount, cursors: await cursorsOf(child, agent) }
  }
  try {
    const few = await open('lists_few', FEW)
    const many = await open('lists_many', MANY)
    const contenders = [getting(many), getting(few), listing(many), listing(few)]
    const [a = [], b = [], c = [], d = []] = await takeTurns(contenders, options)
    const against = (what: string, ours: readonly Measured[], theirs: readonly Measured[]) =>
      compare(
        `${what}, p99`,
        'ms',
        { name: `${MANY.toLocaleString('en')} posts`, rounds: ours.map(asP99) },
        { name: `${FEW.toLocaleString('en')} posts`, rounds: theirs.map(asP99) },
        { ratio: 1.3, isMost: true },
      )
    return [against('GET /posts/{id}', a, b), against('GET /posts, any page', c, d)]
  } finally {
    for (const close of closing) await close()
  }
}

interface Shelf {
  readonly child: Child
  readonly agent: Agent
  readonly amount: number
  /** Cursors of the first pages. */
  readonly cursors: readonly string[]
}

const asP99 = ({ p99 = NaN }: Measured): Measured => ({ perSecond: p99 })
const idOf = (n: number) => `post_${String(n).padStart(26, '0')}`

function getting(shelf: Shelf): Contender {
  const path = () => `/${idOf(Math.floor(Math.random() * shelf.amount))}`
  return { name: `one of ${shelf.amount.toLocaleString('en')}`, measure: () => asking(shelf, path) }
}

function listing(shelf: Shelf): Contender {
  const { cursors } = shelf
  const path = () => `?limit=25&cursor=${cursors[Math.floor(Math.random() * cursors.length)] ?? ''}`
  return { name: `a page of ${shelf.amount.toLocaleString('en')}`, measure: () => asking(shelf, path) }
}

async function asking(shelf: Shelf, path: () => string): Promise<Measured> {
  const hand = hands(AT_ONCE)
  const times: number[] = []
  const start = performance.now()
  const one = async () => {
    const asked = performance.now()
    await answerOf(shelf, path())
    times.push(performance.now() - asked)
  }
  await Promise.all(Array.from({ length: REQUESTS }, () => hand(one)))
  const perSecond = (REQUESTS * 1000) / (performance.now() - start)
  return { perSecond, p50: percentile(times, 50), p99: percentile(times, 99) }
}

async function answerOf({ child, agent }: Pick<Shelf, 'child' | 'agent'>, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${child.key}` }
  const { statusCode, body } = await request(`${child.url}${path}`, { headers, dispatcher: agent })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`GET ${path} responded with ${statusCode}: ${text}`)
  return text
}

/** As many pages as a list of a thousand has. */
async function cursorsOf(child: Child, agent: Agent): Promise<readonly string[]> {
  const cursors: string[] = []
  for (let cursor = ''; cursors.length < FEW / 25 - 1; cursors.push(cursor)) {
    const answer: unknown = JSON.parse(await answerOf({ child, agent }, `?limit=25${cursor && `&cursor=${cursor}`}`))
    const next = (answer as { readonly nextCursor: string | null }).nextCursor
    if (next === null) throw new Error('the list ends too early')
    cursor = next
  }
  return cursors
}

/** Writes the rows that the projector would, a second apart, into the key's workspace. */
async function fill(db: Pool, amount: number): Promise<void> {
  const { caption, mediaUrl, mediaType, hashtags, selections } = postTo('acc_01JD0000000000000000000000')
  for (let first = 0; first < amount; first += FILLED_AT_ONCE) {
    await db.query(
      `insert into read.posts (id, workspace_id, status, origin, media_url, media_type, caption, hashtags, selections,
       results, created_at)
     select 'post_' || lpad(n::text, 26, '0'), (select id from read.workspaces limit 1), 'published', 'api', $1, $2, $3, $4, $5,
       '{}', now() - n * interval '1 second'
     from generate_series($6::int, $7::int) n`,
      [
        mediaUrl,
        mediaType,
        caption,
        JSON.stringify(hashtags),
        JSON.stringify(selections),
        first,
        Math.min(amount, first + FILLED_AT_ONCE) - 1,
      ],
    )
  }
  await db.query('analyze read.posts')
}
