import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { transaction } from '../../infra/postgres/pool.ts'
import { projections } from '../../projections/models/index.ts'

const TABLES = projections.map(({ name }) => name)

/** The floor for writing read models: COPY of their finished rows into tables with the same indexes. */
export interface CopyFloor {
  /** Copies everything into empty tables; returns the seconds. */
  copy(): Promise<number>
  /** Throws unless the tables of a schema equal the original read models. */
  check(schema: string): Promise<void>
}

/** Reads the rows from filled read models. */
export async function copyFloor(db: Pool): Promise<CopyFloor> {
  await db.query('create schema copied')
  const finished = new Map<string, Buffer>()
  for (const table of TABLES) {
    await db.query(`create table copied.${table} (like read.${table} including all)`)
    finished.set(table, await copyOut(db, table))
  }
  const expected = await checksum(db, 'read')
  const check = async (schema: string) => {
    if ((await checksum(db, schema)) !== expected) throw new Error(`unexpected rows in ${schema}`)
  }
  return {
    check,
    copy: async () => {
      await db.query(`truncate ${TABLES.map((table) => `copied.${table}`).join(', ')}`)
      const seconds = await timed(() => copyIn(db, finished))
      await check('copied')
      return seconds
    },
  }
}

export async function timed(work: () => Promise<void>): Promise<number> {
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

/** All tables in one transaction, from memory. */
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
