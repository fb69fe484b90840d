import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Pool } from 'pg'
import t from 'tap'
import { LOCK_NOT_AVAILABLE } from '../infra/postgres/errors.ts'
import {
  concurrentIndex,
  levelOf,
  migrate,
  MIGRATIONS,
  NewerDatabase,
  type Migration,
} from '../infra/postgres/migrate.ts'
import { until } from './support/event-log-helpers.ts'
import { testDatabase } from './support/postgres.ts'

/** Everything up to here was released without this check. */
const LAST_UNCHECKED = '013-restores'
const INDEX: Migration = { name: '901-index', sql: concurrentIndex('events_type', 'log.events (type, position)') }
const COLUMN: Migration = {
  name: '902-column',
  sql: 'alter table log.events add column note text',
  alters: ['log.events'],
}

t.test('given a transaction that reads the log, when the log is altered, then the migration gives up', async (t) => {
  const { db, connectionString } = await testDatabase(t)
  const next = [...MIGRATIONS, COLUMN]
  const reader = await db.connect()
  await reader.query('begin; select 1 from log.events')
  await t.rejects(migrate(connectionString, next), { code: LOCK_NOT_AVAILABLE })

  await reader.query('commit')
  reader.release()
  await migrate(connectionString, next)
  const { rows } = await db.query(
    `select 1 from pg_attribute where attrelid = 'log.events'::regclass and attname = 'note'`,
  )
  t.equal(rows.length, 1, 'it succeeds once the transaction has ended')
})

t.test('given a process that dies while it builds an index, then the next one builds it', async (t) => {
  const { db, connectionString } = await testDatabase(t)
  const next = [...MIGRATIONS, INDEX]
  const release = await snapshotHeld(db)
  const first = migrate(connectionString, next)
  first.catch(() => undefined)
  await until('the index is being built', async () => (await building(db)).length > 0)
  await db.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [await building(db)])
  await t.rejects(first)
  t.same(await validityOf(db, 'events_type'), [false], 'half of an index')

  await release()
  await migrate(connectionString, next)
  t.same(await validityOf(db, 'events_type'), [true])
})

t.test('given two processes that start at once, when one builds an index, then the other waits for it', async (t) => {
  const { db, connectionString } = await testDatabase(t)
  const next = [...MIGRATIONS, INDEX]
  const release = await snapshotHeld(db)
  const both = [migrate(connectionString, next), migrate(connectionString, next)]
  await until('the index is being built', async () => (await building(db)).length > 0)
  await until('the other asks for its turn', async () => {
    const asking = `select 1 from pg_stat_activity
      where datname = current_database() and query like '%pg_advisory_lock%' and pid <> pg_backend_pid()`
    return (await db.query(asking)).rows.length > 0
  })
  await release()
  await Promise.all(both)
  t.same(await validityOf(db, 'events_type'), [true])
  const { rows } = await db.query('select 1 from fanfare_migrations where name = $1', [INDEX.name])
  t.equal(rows.length, 1, 'it ran once')
})

const { resolve } = createRequire(import.meta.url)
/** The lock file has its program for Linux on x64, where every change is checked. */
const skip = process.platform === 'linux' && process.arch === 'x64' ? false : 'no Squawk for this platform'

t.test(
  'given a database that a newer version has migrated, then this one does not start, and changes nothing',
  async (t) => {
    const { db, connectionString } = await testDatabase(t)
    const later = { name: '999-later', sql: 'create table service.later (id text)' }
    await migrate(connectionString, [...MIGRATIONS, later])
    t.teardown(() => db.query(`drop table service.later; delete from fanfare_migrations where name = '999-later'`))
    await t.rejects(migrate(connectionString), NewerDatabase)
    t.equal(await levelOf(db), '999-later')
  },
)

t.test('no migration locks a table for long', { skip }, async (t) => {
  const checked = MIGRATIONS.slice(1 + MIGRATIONS.findIndex(({ name }) => name === LAST_UNCHECKED))
  for (const { name, sql, alters = [] } of [...checked, INDEX, COLUMN]) {
    t.equal(complaintsAbout(sql), '', name)
    const altered = typeof sql === 'string' ? sql.matchAll(/\b(?:alter|drop) table (?:if exists )?([\w.]+)/gi) : []
    for (const [, table = ''] of altered) t.ok(alters.includes(table), `${name} says that it alters ${table}`)
  }
})

t.test('a migration that locks a table for long is found', { skip }, async (t) => {
  const slow: Readonly<Record<string, Migration['sql']>> = {
    'require-concurrent-index-creation': 'create index events_type on log.events (type);',
    'constraint-missing-not-valid': 'alter table log.events add constraint c check (revision >= 0);',
    'changing-column-type': 'alter table log.events alter column type type varchar;',
    'adding-not-nullable-field': 'alter table log.events alter column type set not null;',
    'prefer-robust-stmts': ['create index concurrently events_type on log.events (type);'],
  }
  for (const [rule, sql] of Object.entries(slow)) t.match(complaintsAbout(sql), rule)
})

/** A transaction whose snapshot a concurrent index build waits for. @returns ends it */
async function snapshotHeld(db: Pool): Promise<() => Promise<void>> {
  const reader = await db.connect()
  await reader.query('begin isolation level repeatable read; select 1 from log.events')
  return async () => {
    await reader.query('commit')
    reader.release()
  }
}

/** The sessions that wait while they build an index. */
async function building(db: Pool): Promise<readonly number[]> {
  const { rows } = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and query like 'create index concurrently%' and wait_event_type = 'Lock'`,
  )
  return rows.map(({ pid }) => pid)
}

async function validityOf(db: Pool, index: string): Promise<readonly boolean[]> {
  const { rows } = await db.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index join pg_class on oid = indexrelid where relname = $1',
    [index],
  )
  return rows.map(({ valid }) => valid)
}

/**
 * What Squawk, a linter of migrations, says about it. Its advice on time-outs is for scripts: `migrate` sets one itself.
 *
 * @returns empty if there is nothing to say
 */
function complaintsAbout(sql: Migration['sql']): string {
  const inTransaction = typeof sql === 'string'
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      ...[
        resolve('squawk-cli/js/bin/squawk'),
        '--reporter',
        'gcc',
        '--exclude',
        'require-lock-timeout,require-statement-timeout',
      ],
      ...(inTransaction ? ['--assume-in-transaction'] : []),
    ],
    { input: [sql].flat().join(';\n'), encoding: 'utf8' },
  )
  if (status !== 0 && stdout === '') throw new Error(`Squawk ended with ${status}`)
  return stdout
}
