import type { Pool } from 'pg'
import { APPENDED } from '../../event-log/postgres/append.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { NO_STREAM } from '../../event-log/event-log.ts'
import { concurrentIndex, migrate, MIGRATIONS, type Migration } from '../../infra/postgres/migrate.ts'
import { listenForSignals } from '../../infra/postgres/signal.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { transaction } from '../../infra/postgres/pool.ts'
import { indexBeside, layOutBeside } from '../../projections/engine/beside.ts'
import { layOutTables } from '../../projections/engine/tables.ts'
import type { AnyProjection } from '../../projections/engine/projection.ts'
import { posts } from '../../projections/models/posts.ts'
import { ids, metadata, postQueued } from './post.ts'
import { compare, takeTurns, type Aim, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'

const POSTS = 1_000_000
/** Rows per statement; one may take half a minute. */
const FILLED_AT_ONCE = 50_000
/** Duration (ms) of a round without a migration. */
const QUIET_MS = 10_000
const PAUSE_MS = 5
const SECOND: Aim = { ratio: 1, isMost: true }
const WORKSPACE = 'ws_01JD0000000000000000000000'

/** One of each kind of change to a table that exists. */
const CHANGES: readonly Migration[] = [
  { name: '901-index', sql: concurrentIndex('bench_events_type', 'log.events (type, position)') },
  { name: '902-column', sql: 'alter table log.events add column bench_note text', alters: ['log.events'] },
  {
    name: '903-constraint',
    sql: 'alter table log.events add constraint bench_revision check (revision >= 0) not valid',
    alters: ['log.events'],
  },
  { name: '904-validated', sql: ['alter table log.events validate constraint bench_revision'] },
]
const UNDONE = `
drop index log.bench_events_type;
alter table log.events drop constraint bench_revision, drop column bench_note;
delete from fanfare_migrations where name like '90%';`

/** The longest time that an append or a list of posts takes while a million posts are migrated, against one without. */
export async function benchMigrations(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('migrations')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  try {
    await layOutTables(db, [posts])
    await fill(db)
    options.progress(`  ${POSTS.toLocaleString('en')} posts`)

    const append = async () => {
      const data = postQueued(WORKSPACE, 'acc_01JD0000000000000000000000')
      const event = { id: crypto.randomUUID(), type: 'PostQueued', data, metadata: metadata() }
      await log.append(`post-post_${ids.ulid()}`, [event], NO_STREAM)
    }
    const list = () =>
      db.query('select * from read.posts where workspace_id = $1 order by created_at desc, id desc limit 25', [
        WORKSPACE,
      ])
    const longestDuring = async (work: () => Promise<unknown>) => {
      const done = new AbortController()
      const waits = Promise.all([append, list].map((one) => longestOf(one, done.signal)))
      try {
        await work()
      } finally {
        done.abort()
      }
      const longest = Math.max(...(await waits))
      return { perSecond: longest }
    }

    let version = posts.version
    const migrating: Contender = {
      name: `${CHANGES.length} migrations and a new version of a read model`,
      measure: async () => {
        version += 1
        const next = { ...posts, version }
        await prepare(db, next)
        const measured = await longestDuring(async () => {
          await migrate(connectionString, [...MIGRATIONS, ...CHANGES])
          const fresh = await layOutTables(db, [next])
          if (fresh.length > 0) throw new Error('the prepared table was not used')
        })
        await db.query(UNDONE)
        return measured
      },
    }
    const quiet: Contender = {
      name: 'no migration',
      measure: () => longestDuring(() => systemClock.sleep(QUIET_MS)),
    }
    const [during = [], without = []] = await takeTurns([migrating, quiet], options)
    const what = `longest request while ${POSTS.toLocaleString('en')} posts are migrated`
    const ours = { name: migrating.name, rounds: during }
    return [
      compare(what, 'ms', ours, { name: quiet.name, rounds: without }),
      compare(what, 'ms', ours, { name: 'a second', rounds: during.map(() => ({ perSecond: 1_000 })) }, SECOND),
    ]
  } finally {
    await signals.close()
    await db.end()
  }
}

/** The longest (ms) of what is done one after the other until the signal aborts. */
async function longestOf(one: () => Promise<unknown>, signal: AbortSignal): Promise<number> {
  let longest = 0
  while (!signal.aborted) {
    const start = performance.now()
    await one()
    longest = Math.max(longest, performance.now() - start)
    await systemClock.sleep(PAUSE_MS, signal)
  }
  return longest
}

/** The events of a million posts, and their rows as the projector would write them. */
async function fill(db: Pool): Promise<void> {
  const { caption, mediaUrl, mediaType, hashtags, selections, ...queued } = postQueued(
    WORKSPACE,
    'acc_01JD0000000000000000000000',
  )
  const data = JSON.stringify({ ...queued, caption, mediaUrl, mediaType, hashtags, selections })
  for (let first = 1; first <= POSTS; first += FILLED_AT_ONCE) {
    const range = [first, first + FILLED_AT_ONCE - 1]
    await db.query(
      `insert into log.events (position, stream, revision, id, type, data, metadata)
       select n, 'post-post_' || lpad(n::text, 26, '0'), 0, gen_random_uuid(), 'PostQueued', $1, $2
       from generate_series($3::int, $4::int) n`,
      [data, JSON.stringify(metadata()), ...range],
    )
    await db.query(
      `insert into read.posts (id, workspace_id, status, origin, media_url, media_type, caption, hashtags, selections,
         results, created_at)
       select 'post_' || lpad(n::text, 26, '0'), $1, 'published', 'api', $2, $3, $4, $5, $6, '{}', now() - n * interval '1 second'
       from generate_series($7::int, $8::int) n`,
      [WORKSPACE, mediaUrl, mediaType, caption, JSON.stringify(hashtags), JSON.stringify(selections), ...range],
    )
  }
  await db.query('analyze read.posts')
}

/** As "projections rebuild" of the next version leaves it. */
async function prepare(db: Pool, next: AnyProjection): Promise<void> {
  await layOutBeside(db, [next], true)
  await transaction(db, (client) => client.query('insert into read_next.posts select * from read.posts'))
  await indexBeside(db, [next])
}
