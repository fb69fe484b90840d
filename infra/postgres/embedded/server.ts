import { spawn, execFile } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { appendFile, link, open, readFile, rename, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '../../runtime/clock.ts'
import { hasCode, isAlive, type Account } from './binaries.ts'
import type { Cluster } from './cluster.ts'

/** The server process of a cluster, as its pid file shows it. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly status: 'starting' | 'ready' | 'stopping'
}

/** A server that this process started. */
export interface Launched {
  readonly pid: number | undefined
  hasEnded(): boolean
  /** The end of its output so far, or why it could not be started. */
  output(): Promise<string>
}

/** Settings that the service relies on, whatever postgresql.conf says. */
const FIXED_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'ssl=off',
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'logging_collector=off',
  'log_destination=stderr',
  'log_line_prefix=%m [%p] ',
  // The client receives the errors of failed statements; their text and values do not belong in a log file.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_checkpoints=off',
  'cluster_name=fanfare',
]

const LOG_LIMIT_BYTES = 5 * 1024 * 1024
const LOG_KEPT_BYTES = 64 * 1024
const OUTPUT_BYTES = 4096
const FAST_SHUTDOWN_MS = 15_000
const IMMEDIATE_SHUTDOWN_MS = 7_000

/**
 * How to spawn Postgres's programs: in their own session, so that Ctrl-C in the terminal reaches only us; in a folder that every
 * account can enter; without our environment, which holds secrets; with English messages.
 */
export function childOptions(account: Account | undefined) {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: '/', env, detached: true, ...(account && { uid: account.uid, gid: account.gid }) }
}

/** Starts the server detached: it outlives this process. Its messages are appended to `logFile`. */
export function launch(programs: string, cluster: Cluster, port: number, logFile: string): Launched {
  const log = openSync(logFile, 'a', 0o600)
  const begin = fstatSync(log).size
  const settings = FIXED_SETTINGS.flatMap((setting) => ['-c', setting])
  const child = spawn(join(programs, 'postgres'), ['-D', cluster.folder, '-p', String(port), ...settings], {
    ...childOptions(cluster.account),
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  return {
    pid: child.pid,
    hasEnded: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    output: async () => failure ?? (await tail(logFile, OUTPUT_BYTES, begin)).toString().trim(),
  }
}

/** At most the last `bytes` of a file, and nothing before the offset `begin`. */
async function tail(file: string, bytes: number, begin = 0): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const start = Math.max(begin, size - bytes)
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(bytes), position: start })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Truncates a large log to its end. In place, because a running server appends to it. */
export async function trimLog(file: string): Promise<void> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0
  if (size <= LOG_LIMIT_BYTES) return
  const end = await tail(file, LOG_KEPT_BYTES)
  await truncate(file)
  await appendFile(file, end)
}

/** The server running on this folder, if any: a pid file alone, or a process with that id, proves nothing. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const postmaster = parsePidFile((await readPidFile(folder)) ?? '')
  return postmaster && (await runsOn(postmaster.pid, folder)) ? postmaster : undefined
}

const pidFileOf = (folder: string) => join(folder, 'postmaster.pid')

async function readPidFile(folder: string): Promise<string | undefined> {
  try {
    return await readFile(pidFileOf(folder), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Lines: pid, folder, start time, port, socket folder, address, shared memory, status. The last ones are written later. */
function parsePidFile(text: string): Postmaster | undefined {
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!(pid > 0 && port > 0)) return undefined
  const status = lines[7]?.trim()
  return { pid, port, status: status === 'ready' || status === 'stopping' ? status : 'starting' }
}

/** Whether the process is a Postgres server running on this folder. */
export async function runsOn(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await commandLine(pid)
  if (basename(command[0] ?? '') !== 'postgres') return false
  try {
    const [cwd, data] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return cwd.ino === data.ino && cwd.dev === data.dev
  } catch {
    // No /proc (macOS), or root lacks the permission (a container): the arguments name the folder as well.
    return command.join(' ').includes(` -D ${folder} `)
  }
}

async function commandLine(pid: number): Promise<readonly string[]> {
  try {
    if (process.platform === 'linux') return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { timeout: 5_000 })
    const [program = '', ...args] = stdout.trim().split(' -D ')
    return [program, ...args.flatMap((arg) => ['-D', arg])]
  } catch {
    return []
  }
}

/**
 * Removes a pid file that would keep Postgres from starting although no server is running: one whose id now belongs to another
 * process, or one that a power failure left empty. Postgres itself handles that of a dead process.
 */
export async function clearPidFile(folder: string, clock: Clock): Promise<void> {
  const text = await readPidFile(folder)
  if (text === undefined) return
  const named = parsePidFile(text)
  if (named) {
    if (!isAlive(named.pid) || (await runsOn(named.pid, folder))) return
  } else {
    // A server that is starting creates the file before it writes it.
    await clock.sleep(1_000)
  }
  const aside = join(folder, `postmaster.pid.${crypto.randomUUID()}`)
  try {
    await rename(pidFileOf(folder), aside)
    // Another process's server may have started since the file was read: put its file back.
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, pidFileOf(folder))
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}

/** The port of the last start: Postgres saves its last command line. */
export async function lastPort(folder: string): Promise<number | undefined> {
  const command = await readFile(join(folder, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = /"-p" "(\d+)"/.exec(command)?.[1]
  return port === undefined ? undefined : Number(port)
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the system provided no port')
  return address.port
}

/**
 * Shuts a server down, rolling back open transactions.
 *
 * @param runs whether the process is still that server
 * @throws Error if it does not stop
 */
export async function shutDown(pid: number, runs: () => Promise<boolean>, clock: Clock): Promise<void> {
  const steps = [
    { signal: 'SIGINT', limitMs: FAST_SHUTDOWN_MS },
    { signal: 'SIGQUIT', limitMs: IMMEDIATE_SHUTDOWN_MS },
  ] as const
  for (const { signal, limitMs } of steps) {
    const deadline = clock.now() + limitMs
    if (await runs()) sendSignal(pid, signal)
    while (clock.now() < deadline) {
      if (!(await runs())) return
      await clock.sleep(20)
    }
  }
  throw new Error(`Postgres (process ${pid}) did not stop.`)
}

/** Signals a process, or with a negative number a whole group. It is not an error if it has already ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}
