import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import root, { type Test } from 'tap'
import { findEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { sqlState } from '../../infra/postgres/errors.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { openPool } from '../../infra/postgres/pool.ts'
import { projections } from '../../projections/models/index.ts'
import { layOutTables } from '../../projections/engine/tables.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { lendable, type Lendable, type Lent } from './lent-database.ts'

const run = promisify(execFile)

/** Where the suite's own Postgres keeps its data from run to run. */
export const TEST_DATA_DIR = fileURLToPath(new URL('../.postgres', import.meta.url))

/** The server that all test files share: the one named by the environment, else an embedded one. */
export async function testServer(): Promise<string> {
  const given = process.env['FANFARE_TEST_DATABASE_URL']
  if (given) return given
  const running = await findEmbeddedPostgres(TEST_DATA_DIR)
  if (running) return running
  await run(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('./start-postgres.ts', import.meta.url))])
  const started = await findEmbeddedPostgres(TEST_DATA_DIR)
  if (!started) throw new Error('the Postgres of the tests did not start')
  return started
}

let admin: Promise<pg.Pool> | undefined

async function openAdmin(): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: await testServer(),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  return pool.on('error', () => undefined)
}

/** On one connection per process: a new one costs Postgres half as much as a database. */
async function asAdmin(...statements: readonly string[]): Promise<void> {
  const pool = await (admin ??= openAdmin())
  for (const statement of statements) await pool.query(statement)
}

/** A database of its own, empty or a copy of that one, dropped when the test ends. */
export async function emptyDatabase(t: Test, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  // Nothing of it has to outlive the server.
  await asAdmin(`create database ${name} template ${template}`, `alter database ${name} set synchronous_commit = off`)
  t.teardown(() => drop(name))
  const url = new URL(await testServer())
  url.pathname = `/${name}`
  return url.href
}

const INSUFFICIENT_PRIVILEGE = '42501'
const VACUUM_PATIENCE_MS = 10_000

/** Not being a superuser, the drop is refused as long as the server itself is vacuuming there. */
async function drop(name: string): Promise<void> {
  const deadline = systemClock.now() + VACUUM_PATIENCE_MS
  for (;;) {
    try {
      return await asAdmin(`drop database if exists ${name} with (force)`)
    } catch (error) {
      if (sqlState(error) !== INSUFFICIENT_PRIVILEGE || systemClock.now() > deadline) throw error
      await systemClock.sleep(100)
    }
  }
}

/** Makes an empty database what a test wants it to be. */
export type Preparation = (connectionString: string) => Promise<void>

/** Migrated, and with the empty tables of all read models. */
export const withReadModels: Preparation = async (connectionString) => {
  await migrate(connectionString)
  const db = openPool(connectionString, { max: 1, name: 'test', onError: () => undefined })
  await layOutTables(db, projections)
  await db.end()
}

const prepared = new Map<Preparation, Promise<string>>()

/** The name of a database that was prepared so: once in this process, as a copy takes a fraction of that. */
async function templateOf(prepare: Preparation): Promise<string> {
  const connectionString = await emptyDatabase(root)
  await prepare(connectionString)
  return new URL(connectionString).pathname.slice(1)
}

/** Databases that are lent to no test now. */
const idle = new Map<Preparation, Lendable[]>()

/** A migrated database, or one that is prepared otherwise, with a pool and signals. */
export async function testDatabase(t: Test, prepare: Preparation = migrate): Promise<Lent> {
  const found = idle.get(prepare) ?? []
  idle.set(prepare, found)
  const database = (await renewed(found)) ?? (await newDatabase(root, prepare))
  const lent = database.lend()
  t.teardown(async () => {
    await lent.end()
    found.push(database)
  })
  return lent
}

async function renewed(found: Lendable[]): Promise<Lendable | undefined> {
  for (let database = found.pop(); database; database = found.pop()) {
    if (await database.renew()) return database
    await database.close()
  }
  return undefined
}

/** One whose connections have no plans from other tests. */
export async function unusedDatabase(t: Test, prepare: Preparation): Promise<Lent> {
  return (await newDatabase(t, prepare)).lend()
}

async function newDatabase(t: Test, prepare: Preparation): Promise<Lendable> {
  const template = prepared.get(prepare) ?? templateOf(prepare)
  prepared.set(prepare, template)
  const database = await lendable(await emptyDatabase(t, await template))
  t.teardown(() => database.close())
  return database
}
