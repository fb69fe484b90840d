import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { findPostmaster } from '../../infra/postgres/embedded/server.ts'
import { openPool } from '../../infra/postgres/pool.ts'
import { systemClock } from '../../infra/runtime/clock.ts'

/** The Postgres that all contenders share. */
export interface Server {
  /** E.g. `18.4`. */
  readonly version: string
  /** An empty folder, removed with the server. */
  readonly folder: string
  /** Creates an empty database and returns its connection string. */
  database(name: string): Promise<string>
  /** The process id of the server, which is started again when it is killed. */
  postmaster(): Promise<number>
  stop(): Promise<void>
}

/** Starts the service's own embedded Postgres with its default settings, in a temporary folder. */
export async function startServer(progress: (message: string) => void): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
  // When run as root, Postgres runs as another user, who needs access to this folder.
  await chmod(folder, 0o711)
  const embedded = await startEmbeddedPostgres({ dataDir: folder, log: progress, clock: systemClock })
  const admin = new pg.Client({ connectionString: embedded.connectionString })
  // Benchmarks may kill the server.
  admin.on('error', ignoreIdle)
  await admin.connect()
  const settings = await admin.query<{ version: string; durable: boolean }>(
    `select current_setting('server_version') as version,
     current_setting('fsync')::bool and current_setting('synchronous_commit') = 'on' as durable`,
  )
  if (!settings.rows[0]?.durable) throw new Error('this Postgres does not make commits durable')
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await admin.end()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return {
    version: settings.rows[0].version,
    folder,
    database: async (name) => {
      await admin.query(`create database ${name}`)
      const url = new URL(embedded.connectionString)
      url.pathname = `/${name}`
      return url.href
    },
    postmaster: async () => (await findPostmaster(await realpath(join(folder, 'postgres'))))?.pid ?? NaN,
    stop: () => (stopped ??= stop()),
  }
}

/** A pool of the size that the service uses for its queries. */
export function poolOf16(connectionString: string): pg.Pool {
  return openPool(connectionString, { max: 16, name: 'bench', onError: ignoreIdle })
}

/** A connection that breaks while idle is replaced; one that breaks in use fails its query. */
export function ignoreIdle(): void {}
