import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Clock } from '../runtime/clock.ts'
import { findBuild, programsFor, removeAbandoned, thisHost, type Account } from './embedded/binaries.ts'
import { createCluster, findCluster, type Cluster } from './embedded/cluster.ts'
import {
  clearPidFile,
  findPostmaster,
  freePort,
  lastPort,
  launch,
  runsOn,
  shutDown,
  trimLog,
} from './embedded/server.ts'
import type { Launched } from './embedded/server.ts'
import { isUnavailable, sqlState } from './errors.ts'

export interface EmbeddedPostgres {
  /** `postgres://fanfare:<generated>@127.0.0.1:<port>/fanfare`; fixed for the lifetime of this process. */
  readonly connectionString: string
  /** Whether a running server was adopted. */
  readonly adopted: boolean
  /** Shuts the server down, unless another process of the service is using it. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: (message: string) => void
  readonly clock: Clock
  /** Aborts the start and everything it began. */
  readonly signal?: AbortSignal
  /** Where programs and data go if this is root and the user that Postgres runs as cannot reach them otherwise. */
  readonly systemDir?: string
}

/** How long (ms) a server may take to start, recover or stop before we give up on it. */
const PATIENCE_MS = 120_000
const PROGRESS_MS = 5_000
const POLL_MS = 10
const RETRY_MS = 100
const QUERY_LIMIT_MS = 5_000
const LONGEST_REVIVAL_PAUSE_MS = 30_000

/** Each process of the service holds this advisory lock, shared, in the database `postgres`, which is used for nothing else. */
const IN_USE_LOCK = 1

const PORT_TAKEN = /could not create any TCP\/IP sockets/
const OTHER_SERVER = /lock file "postmaster.pid" already exists|shared memory block .* is still in use/

/**
 * Starts (the first time: creates) the server whose data is in `<dataDir>/postgres`, or adopts one that is already running. A
 * server that dies while in use is restarted on the same port.
 *
 * @throws Error with the reason, and with the end of the server's log if it helps
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, clock, systemDir = '/var/lib/fanfare' } = options
  const dataDir = resolve(options.dataDir)
  // Read early: a process report takes long once many connections are open.
  const host = thisHost()
  const signal = options.signal ?? new AbortController().signal
  const programs = async (account: Account | undefined) => programsFor(await findBuild(host), account, systemDir)
  const logFile = join(dataDir, 'postgres.log')

  // Postgres runs as another account under root, which must be able to pass through root's folder.
  await mkdir(dataDir, { recursive: true, mode: process.geteuid?.() === 0 ? 0o711 : 0o700 })
  await trimLog(logFile)
  await removeAbandoned(dataDir, 'postgres')
  const cluster =
    (await findCluster(dataDir)) ?? (await createCluster({ dataDir, systemDir, programs, log, clock, signal }))
  return keepRunning({ cluster, programs, logFile, log, clock, signal })
}

/** The connection string of the server running on this data directory, if there is one. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const cluster = await findCluster(dataDir)
  const running = cluster && (await findPostmaster(cluster.folder))
  return cluster && running?.status === 'ready' ? connectionString(cluster, running.port) : undefined
}

function connectionString(cluster: Cluster, port: number): string {
  return `postgres://fanfare:${cluster.password}@127.0.0.1:${port}/fanfare`
}

interface Context {
  readonly cluster: Cluster
  readonly programs: (account: Account | undefined) => Promise<string>
  readonly logFile: string
  readonly log: (message: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

interface Connected {
  readonly port: number
  readonly adopted: boolean
  /** Holds `IN_USE_LOCK` for this process: it is released when the process ends, however that happens. */
  readonly session: pg.Client
}

async function keepRunning(context: Context): Promise<EmbeddedPostgres> {
  const { cluster, log, clock } = context
  const { port, adopted, session } = await bringUp(context)
  const stopping = new AbortController()
  let current: pg.Client | undefined
  let revival: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  const watch = (client: pg.Client) => {
    current = client
    client.once('end', () => {
      current = undefined
      if (!stopping.signal.aborted) revival = revive()
    })
  }
  const revive = async () => {
    log('lost the connection to Postgres')
    let pauseMs = 250
    while (!stopping.signal.aborted) {
      try {
        return watch((await bringUp({ ...context, signal: stopping.signal }, port)).session)
      } catch (error) {
        if (!stopping.signal.aborted) log(`Postgres could not be restarted: ${messageOf(error)}`)
        await clock.sleep(pauseMs, stopping.signal)
        pauseMs = Math.min(pauseMs * 2, LONGEST_REVIVAL_PAUSE_MS)
      }
    }
  }
  const stop = async () => {
    stopping.abort()
    await revival
    const running = await findPostmaster(cluster.folder)
    if (!running) return void (await current?.end())
    const client = current ?? (await enter(cluster, running.port))
    if (typeof client === 'string') throw new Error(`Postgres could not be stopped: ${client}`)
    if (await isLast(client)) await shutDown(running.pid, () => runsOn(running.pid, cluster.folder), clock)
    else log('leaving Postgres running for another process that uses it')
    await client.end()
  }
  watch(session)
  return { connectionString: connectionString(cluster, port), adopted, stop: () => (stopped ??= stop()) }
}

/**
 * Gets the cluster's server running with us connected to it, whatever its state (down, starting, recovering, up, stopping).
 *
 * @param fixedPort the only acceptable port; absent: that of the last start, or another one if it is taken
 */
async function bringUp(context: Context, fixedPort?: number): Promise<Connected> {
  const { cluster, programs, logFile, log, clock, signal } = context
  const begin = clock.now()
  let reportedAt = begin
  let port = fixedPort ?? (await lastPort(cluster.folder))
  let child: Launched | undefined
  try {
    for (;;) {
      signal.throwIfAborted()
      const running = await findPostmaster(cluster.folder)
      let waitingFor = running?.status === 'stopping' ? 'to stop' : 'to start or to recover'
      if (running?.status === 'ready') {
        if (fixedPort !== undefined && running.port !== fixedPort) throw new Error(`it now uses port ${running.port}`)
        const session = await enter(cluster, running.port)
        if (typeof session !== 'string') {
          const adopted = running.pid !== child?.pid
          if (adopted) log('adopted the running Postgres')
          return { port: running.port, adopted, session }
        }
        waitingFor = `to become available (${session})`
        await clock.sleep(RETRY_MS, signal)
      } else if (child?.hasEnded()) {
        const output = await child.output()
        child = undefined
        if (PORT_TAKEN.test(output) && fixedPort === undefined) port = undefined
        else if (!OTHER_SERVER.test(output)) throw new Error(`Postgres did not start:\n${output}\nIts log: ${logFile}`)
        else await clock.sleep(RETRY_MS, signal)
      } else if (!running && !child) {
        await clearPidFile(cluster.folder, clock)
        port ??= await freePort()
        log('starting Postgres')
        child = launch(await programs(cluster.account), cluster, port, logFile)
      }
      const now = clock.now()
      if (now - begin > PATIENCE_MS) {
        throw new Error(`Postgres took more than ${PATIENCE_MS / 1000} s ${waitingFor}. Its log: ${logFile}`)
      }
      if (now - reportedAt > PROGRESS_MS) {
        log(`waiting for Postgres ${waitingFor}`)
        reportedAt = now
      }
      await clock.sleep(POLL_MS, signal)
    }
  } catch (error) {
    const started = child
    if (signal.aborted && started?.pid !== undefined) {
      await shutDown(started.pid, async () => !started.hasEnded(), clock)
    }
    throw error
  }
}

/** A connection that marks the server as in use by this process, or the reason why there is none right now. */
async function enter(cluster: Cluster, port: number): Promise<pg.Client | string> {
  const session = new pg.Client({
    ...{ host: '127.0.0.1', port, ssl: false, user: 'fanfare', password: cluster.password, database: 'postgres' },
    ...{ application_name: 'fanfare presence', keepAlive: true },
    ...{ connectionTimeoutMillis: QUERY_LIMIT_MS, query_timeout: QUERY_LIMIT_MS },
  })
  // An error also ends the session, and its end is watched.
  session.on('error', () => undefined)
  try {
    await session.connect()
    const { rows } = await session.query<{ folder: string; entered: boolean }>(
      `select current_setting('data_directory') as folder, pg_try_advisory_lock_shared($1) as entered`,
      [IN_USE_LOCK],
    )
    if (rows[0]?.folder !== cluster.folder) throw new Error(`Port ${port} serves another database: ${rows[0]?.folder}.`)
    if (rows[0].entered) return session
    await session.end()
    return 'another process is stopping it'
  } catch (error) {
    await session.end().catch(() => undefined)
    if (sqlState(error) === '28P01') {
      throw new Error('Postgres rejected the password in postgres.password: does the file belong to another database?')
    }
    if (isUnavailable(error)) return messageOf(error)
    throw error
  }
}

/** Whether no other process uses the server; if so, this connection's lock keeps others out from now on. */
async function isLast(session: pg.Client): Promise<boolean> {
  // Releases our own share first: of two processes that leave at the same time, one must find itself alone.
  await session.query('select pg_advisory_unlock_shared($1)', [IN_USE_LOCK])
  const { rows } = await session.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [IN_USE_LOCK])
  return rows[0]?.alone === true
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
