import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate } from '../database/migrate.ts'
import { transaction } from '../database/pool.ts'
import { listenForSignals } from '../database/signal.ts'
import { APPENDED } from '../event-log/postgres-append.ts'
import { postgresLog } from '../event-log/postgres.ts'
import { projections } from '../projections/index.ts'
import { createProjector } from '../projections/projector.ts'
import { layOutTables, resetTables } from '../projections/tables.ts'
import { systemClock } from '../system/clock.ts'
import { createLogger } from '../system/logger.ts'
import { writeHistory } from './history.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import { poolOf16, type Server } from './server.ts'
import type { Measured } from './stats.ts'

const POSTS = 40_000
const TABLES = projections.map(({ name }) => name)

/**
 * The projector brings every read model from empty to the end of the log; against that, COPY writes the finished rows
 * into tables with the same indexes. Both in events/s: the same number of events over the time each takes.
 */
export async function benchProjection(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const connectionString = await server.database('projection')
  await migrate(connectionString)
  const db = poolOf16(connectionString)
  const signals = listenForSignals({ connectionString, channels: [APPENDED], clock: systemClock })
  const log = postgresLog({ db, signals, clock: systemClock })
  try {
    await layOutTables(db, projections)
    await db.query('create schema copied')
    for (const table of TABLES) await db.query(`create table copied.${table} (like read.${table} including all)`)
    const events = await writeHistory(log, POSTS)
    options.progress(`  the log holds ${events} events of ${POSTS} posts`)
    const projector = createProjector({
      db,
      log,
      signals,
      projections,
      clock: systemClock,
      logger: createLogger('error'),
    })
    await projector.catchUp()
    const finished = new Map<string, Buffer>()
    for (const table of TABLES) finished.set(table, await copyOut(db, table))
    const expected = await checksum(db, 'read')

    const check = async (schema: string) => {
      if ((await checksum(db, schema)) !== expected) throw new Error(`the rows in ${schema} are not those expected`)
    }
    const catchUp = async (): Promise<Measured> => {
      await resetTables(db, projections)
      const seconds = await timed(() => projector.catchUp())
      await check('read')
      return { perSecond: events / seconds }
    }
    const copy = async (): Promise<Measured> => {
      await db.query(`truncate ${TABLES.map((table) => `copied.${table}`).join(', ')}`)
      const seconds = await timed(() => copyIn(db, finished))
      await check('copied')
      return { perSecond: events / seconds }
    }
    const contenders = [
      { name: 'Fanfare', measure: catchUp },
      { name: 'COPY of the finished rows', measure: copy },
    ] as const
    const [a = [], b = []] = await takeTurns(contenders, options)
    const [mine, theirs] = [
      { name: contenders[0].name, rounds: a },
      { name: contenders[1].name, rounds: b },
    ]
    return [compare('projection catch-up', 'events/s', mine, theirs, { ratio: 0.25 })]
  } finally {
    await log.close()
    await signals.close()
    await db.end()
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function copyOut(db: Pool, table: string): Promise<Buffer> {
  const client = await db.connect()
  try {
    return await buffer(client.query(copyTo(`copy read.${table} to stdout`)))
  } finally {
    client.release()
  }
}

/** All tables in one transaction, each from memory. */
function copyIn(db: Pool, tables: ReadonlyMap<string, Buffer>): Promise<void> {
  return transaction(db, async (client) => {
    for (const [table, rows] of tables) {
      if (rows.length === 0) continue
      const copying = client.query(copyFrom(`copy copied.${table} from stdin`))
      await pipeline(Readable.from(chunks(rows)), copying)
    }
  })
}

function* chunks(rows: Buffer): Generator<Buffer> {
  const size = 64 * 1024
  for (let start = 0; start < rows.length; start += size) yield rows.subarray(start, start + size)
}

async function checksum(db: Pool, schema: string): Promise<string> {
  const sums: string[] = []
  for (const table of TABLES) {
    const { rows } = await db.query<{ sum: string }>(
      `select count(*) || ':' || coalesce(md5(string_agg(t::text, '' order by id)), '') as sum from ${schema}.${table} t`,
    )
    sums.push(`${table} ${rows[0]?.sum}`)
  }
  return sums.join(', ')
}
