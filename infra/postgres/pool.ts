import pg from 'pg'

/** Timestamps leave the database in the service's own format: ISO 8601 UTC with milliseconds. */
const TIMESTAMPTZ = 1184
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? (value: string) => new Date(value).toISOString()
      : pg.types.getTypeParser(oid, format),
}

/** The parts of a pool that a query needs, so that tests can pass one that fails. */
export type Database = Pick<pg.Pool, 'query' | 'connect'>

/** A statement that takes longer than this (ms) means that the database has a problem: give up and say so. */
const QUERY_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
/** Time limit (ms) for a statement that reads or creates a whole table. */
export const WHOLE_TABLE_MS = 6 * 3_600_000

/**
 * A connection pool. A broken idle connection is dropped and replaced at the next query.
 *
 * @param onError called for broken idle connections
 */
export function openPool(
  connectionString: string,
  options: {
    readonly max: number
    readonly name: string
    readonly onError: (error: Error) => void
    /** For work that reads or creates whole tables. */
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
  // A connection that breaks while in use fails the current query or the next one. Between queries, and on the way from the pool
  // to the caller, nothing else listens, and an unhandled 'error' event ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Runs `work` in a transaction: commits when it resolves, rolls back when it throws. */
export async function transaction<T>(db: Database, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await db.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    client.release(broken)
  }
}
