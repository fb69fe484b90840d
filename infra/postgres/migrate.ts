import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
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

/** In release order. Never change a released one: add another. */
export const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
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
]

/** The name of the last migration in this version of the service. */
export const LEVEL = MIGRATIONS.at(-1)?.name ?? ''
const TABLE = 'fanfare_migrations'

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

function sourceUpTo(level: string): Knex.MigrationSource<(typeof MIGRATIONS)[number]> {
  return {
    getMigrations: async () => MIGRATIONS.slice(0, 1 + MIGRATIONS.findIndex(({ name }) => name === level)),
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => ({
      up: async (trx) => void (await trx.raw(migration.sql)),
      down: async () => {
        throw new Error('migrations only go forward')
      },
    }),
  }
}

/** An arbitrary number, the same in every process of the service. */
const MIGRATION_LOCK = '7305808869230502'

/**
 * Migrates the database to this version of the service. Several processes may start at once: one migrates, the others wait.
 *
 * @param level the last migration to run, for a new database
 */
export async function migrate(connectionString: string, level = LEVEL): Promise<void> {
  if (await isAt(level, connectionString)) return
  // Loading it takes a seventh of the time that a command needs to start, and mostly there is nothing to migrate.
  const { default: knex } = await import('knex')
  const db = knex({ client: 'pg', connection: connectionString, pool: { min: 0, max: 4 } })
  try {
    await db.transaction(async (lock) => {
      await lock.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
      const config = { migrationSource: sourceUpTo(level), tableName: TABLE }
      // Knex's own lock is a row that outlives a killed process. Ours does not, and we hold it, so Knex's can be cleared.
      await db.migrate.forceFreeMigrationsLock(config)
      await db.migrate.latest(config)
    })
  } finally {
    await db.destroy()
  }
}

async function isAt(level: string, connectionString: string): Promise<boolean> {
  const db = openPool(connectionString, { max: 1, name: 'fanfare migrations', onError: () => undefined })
  try {
    return (await levelOf(db)) === level
  } finally {
    await db.end()
  }
}
