import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { progressBar } from '../app/cli/progress-bar.ts'
import { rehearsalText } from '../app/cli/rehearse/report.ts'
import { rehearseUpgrade, type RehearsalDeps } from '../app/cli/rehearse/upgrade.ts'
import { START } from '../event-log/event-log.ts'
import { systemClock as clock } from '../infra/runtime/clock.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { readSettings } from '../infra/runtime/settings.ts'
import { migrate, MIGRATIONS, migrationsUpTo } from '../infra/postgres/migrate.ts'
import { openPool } from '../infra/postgres/pool.ts'
import { text } from '../projections/engine/columns.ts'
import type { AnyProjection } from '../projections/engine/projection.ts'
import { createProjector } from '../projections/engine/projector.ts'
import { layOutTables } from '../projections/engine/tables.ts'
import { projections } from '../projections/models/index.ts'
import { listenForSignals } from '../infra/postgres/signal.ts'
import { CHANNELS } from '../app/wiring/channels.ts'
import { connectionStringOf } from './support/api.ts'
import { given as givenEventStore } from './support/eventstoredb-given.ts'
import { writeGenerated } from './support/generated-log.ts'
import { emptyDatabase } from './support/postgres.ts'
import { ENCRYPTION_KEY, logOf } from './support/world.ts'

/* The rehearsal of an upgrade beside a live database, which must not notice. */

const logger = createLogger('silent')
const OLD_LEVEL = '026-session-workspace'

/** The database of a version that had these migrations and read models, with a history of all that can happen. */
async function givenLive(t: Test, { level = '', of = projections, eventStore = false } = {}) {
  const connectionString = await emptyDatabase(t)
  await migrate(connectionString, level === '' ? MIGRATIONS : migrationsUpTo(level))
  const db = openPool(connectionString, { max: 4, name: 'test', onError: () => undefined })
  t.teardown(() => db.end())
  await layOutTables(db, of)
  const signals = listenForSignals({ connectionString, channels: CHANNELS, clock })
  t.teardown(() => signals.close())
  const store = eventStore ? await givenEventStore(t) : undefined
  const log = store?.log ?? logOf({ db, signals, clock })
  await writeGenerated(log, 7)
  await createProjector({ db, log, signals, projections: of, clock, logger }).catchUp()
  return { db, log, ...(store && { EVENTSTORE_URL: store.server.connectionString }) }
}

async function rehearsed(
  t: Test,
  { db, EVENTSTORE_URL }: { readonly db: pg.Pool; readonly EVENTSTORE_URL?: string },
  parts: Partial<RehearsalDeps> = {},
) {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'fanfare-rehearsal-'))
  t.teardown(() => rm(DATA_DIR, { recursive: true, force: true }))
  const DATABASE_URL = connectionStringOf(db)
  const key = ENCRYPTION_KEY.toString('base64')
  const settings = readSettings({
    DATA_DIR,
    DATABASE_URL,
    ENCRYPTION_KEY: key,
    ...(EVENTSTORE_URL && { EVENTSTORE_URL }),
  })
  return rehearseUpgrade({
    ...{ settings, clock, tell: () => undefined, signal: new AbortController().signal },
    bar: progressBar({ write: () => true }, clock),
    ...parts,
  })
}

/** Every row of every table with its place and its transaction, what the tables are made of, and all sequences. */
async function everything(db: pg.Pool): Promise<unknown> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found: Record<string, unknown> = {}
  for (const { name } of tables) {
    found[name] = (
      await db.query(`select ctid::text, xmin::text, xmax::text, t::text from ${name} t order by ctid`)
    ).rows
  }
  const classes = await db.query('select oid, relname, relfilenode, xmin::text from pg_class order by oid')
  const functions = await db.query('select oid, xmin::text from pg_proc order by oid')
  const sequences = await db.query('select schemaname, sequencename, last_value from pg_sequences order by 1, 2')
  return [
    found,
    functions.rows,
    sequences.rows,
    classes.rows.map(({ oid, relname, relfilenode }) => [oid, relname, relfilenode]),
  ]
}

async function scratchDatabases(db: pg.Pool): Promise<readonly string[]> {
  const { rows } = await db.query<{ datname: string }>(
    `select d.datname from pg_database d, pg_database own
     where own.datname = current_database() and d.datname = 'fanfare_rehearsal_' || own.oid`,
  )
  return rows.map(({ datname }) => datname)
}

t.test('given a service of this version, with posts that are due', async (t) => {
  const live = await givenLive(t)
  const { db } = live
  const before = await everything(db)

  await t.test(
    'when it is rehearsed, then all is as expected, what is due is named, and nothing has changed',
    async (t) => {
      const found = await rehearsed(t, live)
      t.equal(found.asExpected, true)
      t.same(
        found.readModels.map(({ projection, compared }) => [projection, compared]),
        projections.map(({ name }) => [name, 'equal']),
      )
      t.same(found.migrations, [])
      t.equal(found.unreadable.events, 0)
      const { rows: due } = await db.query<{ kind: string; rows: number }>(
        `select kind, count(*)::integer as rows from read.agenda where due_at <= now() group by kind order by kind`,
      )
      t.same(
        found.due.kinds.map(({ kind, rows }) => ({ kind, rows })),
        due,
      )
      t.ok(due.some(({ kind }) => kind === 'publish'))
      t.match(rehearsalText(found), new RegExp(found.due.first[0]?.id ?? 'nothing is named'))
      t.match(rehearsalText(found), /All is as expected\.$/)
      t.same(await everything(db), before)
      t.same(await scratchDatabases(db), [])
    },
  )

  await t.test('when it is stopped in between, then nothing is left, and nothing has changed', async (t) => {
    const stopping = new AbortController()
    const parts = {
      clock,
      signal: stopping.signal,
      bar: { ...progressBar({ write: () => true }, clock), show: () => stopping.abort() },
    }
    await t.rejects(rehearsed(t, live, parts), { message: 'Stopped. Nothing is left of the rehearsal.' })
    t.same(await scratchDatabases(db), [])
    t.same(await everything(db), before)
  })

  await t.test('when another one is running, then it is refused, and the other goes on', async (t) => {
    let second: Promise<unknown> | undefined
    const bar = progressBar({ write: () => true }, clock)
    const tell = () => {
      second ??= rehearsed(t, live).catch((error: unknown) => error)
    }
    const found = await rehearsed(t, live, { bar: { ...bar, show: tell } })
    t.equal(found.asExpected, true)
    t.match(await second, { message: /Another rehearsal is running/ })
  })

  await t.test('when live rows are wrong, then they are named', async (t) => {
    await db.query(`update read.posts set caption = 'wrong' where id = (select min(id) from read.posts)`)
    const { rows: gone } = await db.query<{ id: string }>(
      `delete from read.agenda where id = (select min(id) from read.agenda where kind = 'publish' and due_at <= now()) returning id`,
    )
    await db.query(
      `insert into read.agenda (id, kind, subject, part, lane, due_at) values ('publish:post_x:x/acc', 'publish', 'post_x', 'x/acc', 'publish/acc', now())`,
    )
    const { rows: wrong } = await db.query<{ id: string }>(`select id from read.posts where caption = 'wrong'`)
    const found = await rehearsed(t, live)
    t.equal(found.asExpected, false)
    t.match(
      found.readModels.find(({ projection }) => projection === 'posts'),
      { compared: 'different', different: wrong.map(({ id }) => id) },
    )
    t.match(found.changedWork, {
      added: { rows: 1, first: [{ id: gone[0]?.id }] },
      lost: { rows: 1, first: [{ id: 'publish:post_x:x/acc' }] },
    })
    t.match(rehearsalText(found), new RegExp(`posts differs .*${wrong[0]?.id}`))
    t.match(rehearsalText(found), /would never be done; the first:\n {2}publish:post_x:x\/acc/)
  })
})

t.test('given the database of an earlier version, with an event that this one cannot read', async (t) => {
  const [posts, workspaces] = ['posts', 'workspaces'].map((name) => projections.find((one) => one.name === name))
  if (!posts || !workspaces) throw new Error('they are read models')
  const { caption: _gone, ...columns } = posts.columns as Record<string, ReturnType<typeof text>>
  const former: AnyProjection = {
    ...posts,
    version: posts.version - 1,
    columns: { ...columns, formerly: text<string | null>() } as unknown as AnyProjection['columns'],
  }
  const of = projections.filter((one) => one !== workspaces).map((one) => (one === posts ? former : one))
  const live = await givenLive(t, { level: OLD_LEVEL, of })
  const { db, log } = live
  const position = (await log.head()) + 1n
  const metadata = {
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'cli', id: 'test' },
    correlationId: 'a',
    causationId: 'a',
  }
  await db.query(
    `insert into log.events (position, stream, revision, id, type, data, metadata)
     values ($1, 'api_key-key_newer', 0, gen_random_uuid(), 'ApiKeyCreated', '{}', $2)`,
    [String(position), { ...metadata, schemaVersion: 99 }],
  )
  const before = await everything(db)

  await t.test('when it is rehearsed, then migrations, other definitions and the event are named', async (t) => {
    const found = await rehearsed(t, live)
    t.same(
      found.migrations.map(({ name }) => name),
      MIGRATIONS.slice(migrationsUpTo(OLD_LEVEL).length).map(({ name }) => name),
    )
    const modelOf = (name: string) => found.readModels.find(({ projection }) => projection === name)
    t.match(modelOf('posts'), {
      compared: 'redefined',
      redefined: {
        columns: { added: ['caption'], removed: ['formerly'], changed: [] },
        rows: { added: 0, removed: 0, changed: 0 },
      },
    })
    t.match(modelOf('workspaces'), { compared: 'new', liveRows: undefined })
    t.match(found.unreadable.first, [{ position: String(position), stream: 'api_key-key_newer', reason: /version 99/ }])
    t.ok(
      found.readModels.some(({ halts }) => halts?.includes(`position ${position}`)),
      'what reads it would halt',
    )
    t.equal(found.asExpected, false)
    t.match(rehearsalText(found), /posts .*redefined: columns \+caption -formerly; 0 rows added, 0 removed, 0 changed/)
    t.match(rehearsalText(found), /This version cannot read 1 events/)
    t.same(await everything(db), before)
    t.same(await scratchDatabases(db), [])
  })

  await t.test('when the database is ahead of this version, then it is refused', async (t) => {
    await db.query(`insert into fanfare_migrations (name, batch, migration_time) values ('999-later', 99, now())`)
    await t.rejects(rehearsed(t, live), { message: /migration 999-later, which this version does not have/ })
  })
})

t.test('given a log in EventStoreDB, when it is rehearsed, then it is read from there', async (t) => {
  const live = await givenLive(t, { eventStore: true })
  const head = await live.log.head()
  const found = await rehearsed(t, live)
  t.equal(found.asExpected, true)
  t.ok(head > START && found.rebuilt.events > 0)
  t.ok(found.readModels.every(({ compared }) => compared === 'equal'))
  t.equal(await live.log.head(), head)
})

t.test('given a database on which no service has run, then there is nothing to rehearse', async (t) => {
  const db = openPool(await emptyDatabase(t), { max: 1, name: 'test', onError: () => undefined })
  t.teardown(() => db.end())
  await t.rejects(rehearsed(t, { db }), { message: /There is nothing to rehearse/ })
})
