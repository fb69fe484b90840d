import pg from 'pg'

/** Times leave the database as they leave the service: ISO 8601 UTC with milliseconds. */
const TIMESTAMPTZ = 1184
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? (value: string) => new Date(value).toISOString()
      : pg.types.getTypeParser(oid, format),
}

/** The parts of a pool that a query needs, so that tests may hand in one that fails. */
export type Database = Pick<pg.Pool, 'query' | 'connect'>

/** Statements that take longer than this (ms) are the database's fault, not ours: give up and say so. */
const QUERY_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
/** How long (ms) a statement may take that reads or makes a whole table. */
export const WHOLE_TABLE_MS = 6 * 3_600_000

/**
 * A pool of connections. An idle connection that breaks is dropped and replaced at the next query.
 *
 * @param onError told of broken idle connections
 */
export function openPool(
  connectionString: string,
  options: {
    readonly max: number
    readonly name: string
    readonly onError: (error: Error) => void
    /** For work that reads or makes whole tables. */
    readonly queryTimeoutMs?: number
  },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    keepAlive: true,
    types,
  })
  pool.on('error', options.onError)
  return pool
}

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export async function transaction<T>(db: Database, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await db.connect()
  let broken: Error | undefined
  // Between two queries nobody else hears of a connection that breaks, and what nobody hears ends the process.
  const onError = (error: Error) => (broken = error)
  client.on('error', onError)
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}
