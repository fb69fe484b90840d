import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
import { LOCK_NOT_AVAILABLE, sqlState } from './errors.ts'
import { beforeAltering, LOCKS } from './locks.ts'
import { openPool } from './pool.ts'
import { LOG } from './migrations/001-log.ts'
import { SERVICE } from './migrations/002-service.ts'
import { AGENDA } from './migrations/003-agenda.ts'
import { COMMENTS } from './migrations/004-comments.ts'
import { METRICS } from './migrations/005-metrics.ts'
import { USERS } from './migrations/006-users.ts'
import { MOVES } from './migrations/007-moves.ts'
import { CLAIM } from './migrations/008-claim.ts'
import { CLAIM_BY_ONE_INDEX } from './migrations/009-claim-by-one-index.ts'
import { CLAIM_PLANNED_ONCE } from './migrations/010-claim-planned-once.ts'
import { FAIR_CLAIM } from './migrations/011-fair-claim.ts'
import { KEY_RING } from './migrations/012-key-ring.ts'
import { RESTORES } from './migrations/013-restores.ts'
import { EVENT_KEYS } from './migrations/014-event-keys.ts'
import { ERASED_KEYS } from './migrations/015-erased-keys.ts'
import { TREE_HEADS } from './migrations/017-tree-heads.ts'
import { CONSENT_OF_SEVERAL } from './migrations/021-consent-of-several.ts'
import { POST_CLAIMS } from './migrations/022-post-claims.ts'
import { SESSION_DETAILS } from './migrations/023-session-details.ts'
import { CLAIM_NOT_COMPILED } from './migrations/024-claim-not-compiled.ts'
import { SIGN_IN_FLOWS } from './migrations/025-sign-in-flows.ts'
import { SESSION_WORKSPACE } from './migrations/026-session-workspace.ts'
import { OPERATOR_NOTICES } from './migrations/027-operator-notices.ts'
import { KEY_SPENDING } from './migrations/028-key-spending.ts'
import { OAUTH } from './migrations/029-oauth.ts'

export interface Migration {
  readonly name: string
  /**
   * A text runs in a transaction. Statements in a list run one by one without a transaction, as `create index concurrently`
   * must, and again from the first when the process ends in between: each must be repeatable.
   */
  readonly sql: string | readonly string[]
  /** The existing tables that a text alters. */
  readonly alters?: readonly string[]
}

/** In release order. Never change a released one: add another. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-log', sql: LOG },
  { name: '002-service', sql: SERVICE },
  { name: '003-agenda', sql: AGENDA },
  { name: '004-comments', sql: COMMENTS },
  { name: '005-metrics', sql: METRICS },
  { name: '006-users', sql: USERS },
  { name: '007-moves', sql: MOVES },
  { name: '008-claim', sql: CLAIM },
  { name: '009-claim-by-one-index', sql: CLAIM_BY_ONE_INDEX },
  { name: '010-claim-planned-once', sql: CLAIM_PLANNED_ONCE },
  { name: '011-fair-claim', sql: FAIR_CLAIM },
  { name: '012-key-ring', sql: KEY_RING },
  { name: '013-restores', sql: RESTORES },
  { name: '014-event-keys', sql: EVENT_KEYS },
  { name: '015-erased-keys', sql: ERASED_KEYS, alters: ['service.event_keys'] },
  {
    name: '016-erased-keys-indexes',
    sql: [
      ...concurrentIndex('event_keys_author', 'service.event_keys (workspace_id, author) where author is not null'),
      ...concurrentIndex('event_keys_erasure', 'service.event_keys (erasure_id) where erasure_id is not null'),
    ],
  },
  { name: '017-tree-heads', sql: TREE_HEADS },
  { name: '021-consent-of-several', sql: CONSENT_OF_SEVERAL, alters: ['service.authorizations'] },
  { name: '022-post-claims', sql: POST_CLAIMS },
  { name: '023-session-details', sql: SESSION_DETAILS, alters: ['service.sessions'] },
  { name: '024-claim-not-compiled', sql: CLAIM_NOT_COMPILED },
  { name: '025-sign-in-flows', sql: SIGN_IN_FLOWS },
  { name: '026-session-workspace', sql: SESSION_WORKSPACE, alters: ['service.sessions'] },
  { name: '027-operator-notices', sql: OPERATOR_NOTICES },
  { name: '028-key-spending', sql: KEY_SPENDING },
  { name: '029-oauth', sql: OAUTH },
]

/** The name of the last migration in this version of the service. */
export const LEVEL = MIGRATIONS.at(-1)?.name ?? ''
const TABLE = 'fanfare_migrations'
/** How long (ms) a query waits for another process to finish migrating. */
const TURN_MS = 500

/** The database has migrations that this version does not know: with its own, it would put the tables back. */
export class NewerDatabase extends Error {
  constructor(level: string) {
    super(
      `The database is at the migration ${level}, which this version does not have: a newer one has run. Start that one, or restore a backup from before.`,
    )
    this.name = 'NewerDatabase'
  }
}

/** Whether this version of the service has the named migration, and thus all before it. */
export function isKnownLevel(level: string): boolean {
  return MIGRATIONS.some(({ name }) => name === level)
}

/** The last migration that ran; `undefined` if none did. */
export async function levelOf(client: Pick<ClientBase, 'query'>): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    TABLE,
  ])
  if (!tables[0]?.there) return undefined
  const { rows } = await client.query<{ name: string }>(`select name from ${TABLE} order by id desc limit 1`)
  return rows[0]?.name
}

/**
 * Statements that build an index while the table is read and written. An interrupted build leaves an invalid index behind, so
 * there may be one to drop.
 *
 * @param index without the schema
 * @param on the table and the columns: `log.events (type)`
 */
export function concurrentIndex(index: string, on: string): readonly string[] {
  const [schema] = on.split('.')
  return [
    `drop index concurrently if exists ${schema}.${index}`,
    `create index concurrently if not exists ${index} on ${on}`,
  ]
}

function sourceOf(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ sql, alters = [] }) => ({
      up: async (db) => {
        if (typeof sql === 'string') await db.raw(`${beforeAltering(alters)}; ${sql}`)
        else for (const statement of sql) await db.raw(statement)
      },
      down: async () => {
        throw new Error('migrations only go forward')
      },
      config: { transaction: typeof sql === 'string' },
    }),
  }
}

/** The migrations up to a level. */
export function migrationsUpTo(level: string): readonly Migration[] {
  return MIGRATIONS.slice(0, indexAfter(MIGRATIONS, level))
}

/**
 * Migrates the database to this version of the service. Several processes may start at once: one migrates, the others wait.
 *
 * @param migrations all of them up to the level that is wanted
 * @throws NewerDatabase
 * @throws an error with SQLSTATE 55P03 if another transaction holds a table; what is done by then stays done
 */
export async function migrate(connectionString: string, migrations = MIGRATIONS): Promise<void> {
  const db = openPool(connectionString, { max: 1, name: 'fanfare migrations', onError: () => undefined })
  try {
    if ((await levelOf(db)) === migrations.at(-1)?.name) return
    const session = await db.connect()
    try {
      await takeTurn(session)
      const level = await levelOf(session)
      if (level !== undefined && indexAfter(migrations, level) === 0) throw new NewerDatabase(level)
      await run(connectionString, migrations, level)
    } finally {
      // Its end releases the lock.
      session.release(true)
    }
  } finally {
    await db.end()
  }
}

/**
 * Holds the lock for the session, without a transaction, and asks for it again and again: an index that is built concurrently
 * waits for every query and transaction that began before it.
 */
async function takeTurn(session: ClientBase): Promise<void> {
  await session.query(`set lock_timeout = ${TURN_MS}`)
  for (;;) {
    try {
      await session.query('select pg_advisory_lock($1)', [LOCKS.migration])
      return
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    }
  }
}

/** @param level the last migration that ran */
async function run(
  connectionString: string,
  migrations: readonly Migration[],
  level: string | undefined,
): Promise<void> {
  // Loading it takes a seventh of the time that a command needs to start, and mostly there is nothing to migrate.
  const { default: knex } = await import('knex')
  const log = { warn: () => undefined }
  const db = knex({ client: 'pg', connection: connectionString, pool: { min: 0, max: 4 }, log })
  try {
    // Knex's own lock is a row that outlives a killed process. Ours does not, and we hold it, so Knex's can be cleared.
    await db.migrate.forceFreeMigrationsLock({ tableName: TABLE })
    for (let end = indexAfter(migrations, level); end < migrations.length;) {
      end = endOfBatch(migrations, end)
      await db.migrate.latest({ migrationSource: sourceOf(migrations.slice(0, end)), tableName: TABLE })
    }
  } finally {
    await db.destroy()
  }
}

function indexAfter(migrations: readonly Migration[], level: string | undefined): number {
  return 1 + migrations.findIndex(({ name }) => name === level)
}

/** One without a transaction is a batch of its own: of a mixed batch, Knex commits each before it records it. */
function endOfBatch(migrations: readonly Migration[], begin: number): number {
  const isAlone = (migration?: Migration) => typeof migration?.sql !== 'string'
  const others = migrations.slice(begin + 1)
  const more = isAlone(migrations[begin]) ? 0 : others.findIndex(isAlone)
  return more < 0 ? migrations.length : begin + 1 + more
}
