import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Test } from 'tap'
import { findEmbeddedPostgres } from '../../database/embedded.ts'
import { sqlState } from '../../database/errors.ts'
import { migrate } from '../../database/migrate.ts'
import { openPool } from '../../database/pool.ts'
import { listenForSignals } from '../../database/signal.ts'
import { APPENDED } from '../../event-log/postgres-append.ts'
import { PROJECTED } from '../../projections/apply-batch.ts'
import { systemClock } from '../../system/clock.ts'

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

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: await testServer() })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A database of its own, empty, dropped when the test ends. */
export async function emptyDatabase(t: Test): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdmin(`create database ${name}`)
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

/** A migrated database with a pool and signals. */
export async function testDatabase(t: Test) {
  const connectionString = await emptyDatabase(t)
  await migrate(connectionString)
  const db = openPool(connectionString, { max: 8, name: 'test', onError: () => undefined })
  const signals = listenForSignals({ connectionString, channels: [APPENDED, PROJECTED], clock: systemClock })
  t.teardown(async () => {
    await signals.close()
    await db.end()
  })
  return { connectionString, db, signals }
}
