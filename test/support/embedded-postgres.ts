import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import root, { type Test } from 'tap'
import * as z from 'zod'
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../../infra/postgres/embedded.ts'
import { systemClock } from '../../infra/runtime/clock.ts'

/** What a process started by `startProcess` tells. */
const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('log'), message: z.string() }),
  z.object({ kind: z.literal('started'), connectionString: z.string(), adopted: z.boolean() }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
  z.object({ kind: z.literal('committed'), number: z.number() }),
])
export type Report = z.infer<typeof reportSchema>

export const run = promisify(execFile)
export const isRoot = process.geteuid?.() === 0
export const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Polls until the condition gives something, for at most 60 s. */
export async function until<T>(what: string, condition: () => Promise<T | undefined | false> | T | undefined | false) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(5)) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
  }
  throw new Error(`waited in vain until ${what}`)
}

/** A folder of the test's own that every user can enter. Servers left running below it are killed in the end. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-embedded-'))
  await chmod(folder, 0o755)
  t.teardown(async () => {
    for (const file of await readdir(folder, { recursive: true })) {
      if (file.endsWith('postmaster.pid')) await killServer(join(folder, file)).catch(() => undefined)
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

async function killServer(pidFile: string): Promise<void> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'))
  if (await isPostgres(pid)) process.kill(pid, 'SIGKILL')
}

async function isPostgres(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('/postgres -D ')
}

/** The process id of the server on this data directory. */
export async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'))
}

export async function serverRuns(dataDir: string): Promise<boolean> {
  return isPostgres(await serverPid(dataDir).catch(() => 0))
}

/** The user id that the server runs under. */
export async function serverUser(dataDir: string): Promise<number> {
  return Number((await run('ps', ['-o', 'uid=', '-p', String(await serverPid(dataDir))])).stdout)
}

let template: Promise<string> | undefined

/** A data directory in which a database was created and properly stopped: a copy, as creating takes seconds. */
export async function createdDataDir(t: Test): Promise<string> {
  const create = async () => {
    const dataDir = join(await temporaryFolder(root), 'data')
    await (await startEmbeddedPostgres({ dataDir, clock: systemClock, log: () => undefined })).stop()
    return dataDir
  }
  const dataDir = join(await temporaryFolder(t), 'data')
  await run('cp', ['-a', await (template ??= create()), dataDir])
  return dataDir
}

/** Starts the server from this process; it is stopped at the end of the test. */
export async function start(t: Test, dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const postgres = await startEmbeddedPostgres({ dataDir, clock: systemClock, log, ...options })
  t.teardown(() => postgres.stop())
  return { ...postgres, logged }
}

/**
 * A copy of this checkout, with what the database and these processes need, in a folder of the test's choice. Links to
 * the files take no space.
 */
export async function copyCheckout(folder: string): Promise<string> {
  const app = join(folder, 'app')
  await mkdir(join(app, 'test'), { recursive: true })
  for (const part of ['package.json', 'infra', 'test/package.json', 'test/support', 'node_modules']) {
    const [from, to] = [join(checkout, part), join(app, part)]
    await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]))
  }
  return app
}

export interface ProcessOptions {
  /** The Node.js to run it with. */
  readonly node?: string
  /** The checkout that the process runs from. */
  readonly app?: string
  readonly systemDir?: string
  readonly account?: { readonly uid: number; readonly gid: number }
}

/** Starts the server from a process of its own, the leader of its process group. */
export function startProcess(t: Test, dataDir: string, options: ProcessOptions = {}) {
  const { node = process.execPath, app = checkout, systemDir = join(dataDir, '..', 'system'), account } = options
  const tsx = pathToFileURL(createRequire(join(app, 'package.json')).resolve('tsx')).href
  const script = join(app, 'test', 'support', 'embedded-postgres-process.ts')
  const child = spawn(node, ['--import', tsx, script, dataDir, systemDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    cwd: app,
    detached: true,
    ...account,
  })
  const reports: Report[] = []
  child.on('message', (message) => void reports.push(reportSchema.parse(message)))
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals, group = false) => {
    if (child.exitCode === null && child.signalCode === null) process.kill((group ? -1 : 1) * (child.pid ?? 0), signal)
    await exited
  }
  t.teardown(() => end('SIGKILL'))
  const committed = () => Math.max(0, ...reports.map((report) => (report.kind === 'committed' ? report.number : 0)))
  return {
    logged: () => reports.flatMap((report) => (report.kind === 'log' ? [report.message] : [])),
    started: () =>
      until('the process has started Postgres', () => {
        const failure = reports.find((report) => report.kind === 'failed')
        if (failure) throw new Error(failure.message)
        return reports.find((report) => report.kind === 'started')
      }),
    /** Lets the process commit numbers until it has at least so many acknowledged. */
    commit: async (count: number) => {
      child.send('write')
      await until(`${count} numbers are committed`, () => committed() >= count)
    },
    /** The last number that was acknowledged: to be asked when the process is gone. */
    committed,
    kill: () => end('SIGKILL'),
    interruptGroup: () => end('SIGINT', true),
    stop: async () => {
      child.send('stop')
      await exited
    },
  }
}

/** Runs one statement on a connection of its own. */
export async function query(connection: string | pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** How many of the numbers 1 to `last` the database has. */
export async function numbersUpTo(last: number, connectionString: string): Promise<number> {
  const rows = await query(
    connectionString,
    `select count(*)::int as count from numbers where number between 1 and ${last}`,
  )
  return Number(rows[0]?.['count'])
}

export const modeOf = async (path: string) => (await stat(path)).mode & 0o777

/** What was begun in this folder and is not finished. */
export const workFolders = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('.new.'))
