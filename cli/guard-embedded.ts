import pg from 'pg'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded.ts'
import { Refusal } from '../domain/errors.ts'
import type { Core } from '../main.ts'

const SERVICE_LOCK = '7305808869230505'
const LOOK_EVERY_MS = 1_000

/**
 * Makes this process the one service of an embedded database, and brings the database back when it goes away.
 *
 * @returns how to let go
 * @throws Refusal failed_precondition when another process serves the same `DATA_DIR`
 */
export async function guardEmbedded(core: Core): Promise<() => Promise<void>> {
  const { settings, clock, logger } = core
  const dataDir = settings.DATA_DIR
  const ended = new AbortController()

  const lock = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: await findEmbeddedPostgres(dataDir), keepAlive: true })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [SERVICE_LOCK])
    if (rows[0]?.taken) return client
    await client.end()
    throw new Refusal('failed_precondition', `Another process is serving ${dataDir}; stop it, or set another DATA_DIR.`)
  }

  let holder = await lock()
  const watch = async () => {
    while (!ended.signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, ended.signal)
      if (ended.signal.aborted) return
      try {
        if (await findEmbeddedPostgres(dataDir)) continue
        logger.warn({}, 'the embedded database went away; starting it again')
        await holder.end().catch(() => undefined)
        await startEmbeddedPostgres({
          dataDir,
          log: (message) => logger.info({}, message),
          clock,
          signal: ended.signal,
        })
        holder = await lock()
      } catch (error) {
        if (!ended.signal.aborted) logger.error({ err: error }, 'the embedded database does not start; trying again')
      }
    }
  }
  const watching = watch()
  return async () => {
    ended.abort()
    await watching
    await holder.end().catch(() => undefined)
  }
}
