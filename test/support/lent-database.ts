import pg from 'pg'
import { CHANNELS } from '../../app/wiring/channels.ts'
import { atMost, systemClock } from '../../infra/runtime/clock.ts'
import { openPool } from '../../infra/postgres/pool.ts'
import { listenForSignals, RECONNECTED, type Signals } from '../../infra/postgres/signal.ts'
import { PROJECTED } from '../../projections/engine/apply-batch.ts'

/*
 * A database and its connections, lent to one test after the other: creating and dropping a database costs Postgres about 160 ms
 * of CPU, a connection 40 ms, and emptying the tables 5 ms.
 */

export interface Lent {
  readonly connectionString: string
  readonly db: pg.Pool
  readonly signals: Signals
  /** Waits for what the test has begun, and refuses what it begins from now on. */
  end(): Promise<void>
}

export interface Lendable {
  lend(): Lent
  /** Makes it as it was at first. `false`: it cannot be lent again. */
  renew(): Promise<boolean>
  close(): Promise<void>
}

/** How much it may grow (bytes): dead rows slow down whatever reads the table. */
const MOST_GROWTH = 2 * 1024 * 1024
const MARKER_PATIENCE_MS = 5_000
const RENEWED = 'renewed'

const USER_TABLES = `select c.oid, c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`
const TABLES = `select t.name, exists (select from pg_trigger where tgrelid = t.oid and not tgisinternal) as guarded
  from (${USER_TABLES}) t
  order by exists (select from pg_constraint where conrelid = t.oid and contype = 'f') desc, t.name`
/** Differs after any change of the schema, and of the statistics from which queries are planned. */
const STATE = `select concat_ws(' ',
  (select count(*) || '/' || max(oid) from pg_class),
  (select count(*) from pg_attribute where not attisdropped),
  (select max(xmin::text::bigint) from pg_proc),
  (select count(*) || '/' || max(oid) from pg_constraint),
  (select count(*) || '/' || count(*) filter (where tgenabled = 'O') from pg_trigger),
  (select count(*) from pg_stats where schemaname not in ('pg_catalog', 'information_schema'))) as shape,
  pg_database_size(current_database())::int as size`
/** Of others than the pool and the signals, and of locks that outlive a transaction. */
const LEFT_BEHIND = `select
  (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend') as clients,
  (select count(*)::int from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())) as locks`

export async function lendable(connectionString: string): Promise<Lendable> {
  const db = openPool(connectionString, { max: 8, name: 'test', onError: () => undefined })
  const first = await stateOf(db)
  const restore = await statementsToRestore(db)
  await becomeAnotherInstallation(db)
  const signals = listenForSignals({ connectionString, channels: CHANNELS, clock: systemClock })
  // Or what the test does first is done again when they begin.
  await signalled(signals, RECONNECTED)
  let closed: Promise<void> | undefined
  const close = async () => {
    await signals.close()
    await db.end()
  }

  const renew = async () => {
    const { rows } = await db.query<{ clients: number; locks: number }>(LEFT_BEHIND)
    if (rows[0]?.clients !== db.totalCount + 1 || rows[0].locks > 0) return false
    const { shape, size } = await stateOf(db)
    if (shape !== first.shape || size > first.size + MOST_GROWTH) return false
    await db.query(restore)
    await becomeAnotherInstallation(db)
    // What was signalled until now arrives before this.
    let arrived = false
    const marker = signalled(signals, RENEWED).then(() => (arrived = true))
    await db.query('select pg_notify($1, $2)', [PROJECTED, RENEWED])
    await atMost(systemClock, MARKER_PATIENCE_MS, marker)
    return arrived
  }

  return {
    lend: () => lend(connectionString, db, signals),
    renew: () => renew().catch(() => false),
    close: () => (closed ??= close()),
  }
}

async function stateOf(db: pg.Pool): Promise<{ readonly shape?: string; readonly size: number }> {
  const { rows } = await db.query<{ shape: string; size: number }>(STATE)
  return rows[0] ?? { size: Infinity }
}

/** A copy is another installation. */
async function becomeAnotherInstallation(db: pg.Pool): Promise<void> {
  await db.query('update service.installation set id = gen_random_uuid()')
}

/** SQL that empties all tables and fills in again what is there now. */
async function statementsToRestore(db: pg.Pool): Promise<string> {
  const { rows: tables } = await db.query<{ name: string; guarded: boolean }>(TABLES)
  const statements: string[] = []
  for (const { name, guarded } of tables) {
    const trigger = (what: string) => (guarded ? `alter table ${name} ${what} trigger user;` : '')
    statements.push(`${trigger('disable')} delete from ${name}; ${trigger('enable')}`)
    const { rows } = await db.query<{ content: string }>(`select json_agg(to_json(t))::text as content from ${name} t`)
    const content = rows[0]?.content
    if (!content) continue
    const literal = pg.escapeLiteral(content)
    statements.push(`insert into ${name} select * from json_populate_recordset(null::${name}, ${literal});`)
  }
  return statements.join('\n')
}

function signalled(signals: Signals, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    const off = signals.on(PROJECTED, (payload) => {
      if (payload === wanted) resolve(off())
    })
  })
}

function lend(connectionString: string, pool: pg.Pool, shared: Signals): Lent {
  let ended = false
  const offs = new Set<() => void>()
  const guarded =
    <Given extends unknown[], Result>(method: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      if (ended) throw new Error('Cannot use a pool after calling end on the pool')
      return method.apply(pool, given)
    }
  const signals: Signals = {
    on: (channel, listener) => {
      const off = shared.on(channel, listener)
      offs.add(off)
      return off
    },
    send: (channel, payload) => {
      if (!ended) shared.send(channel, payload)
    },
    close: async () => undefined,
  }
  const end = async () => {
    ended = true
    offs.forEach((off) => off())
    // A connection that fails leaves without an event.
    while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) await systemClock.sleep(1)
  }
  const own = { query: guarded(pool.query), connect: guarded(pool.connect), end }
  return { connectionString, db: Object.assign(Object.create(pool), own), signals, end }
}
