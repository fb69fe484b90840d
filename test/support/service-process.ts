import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Test } from 'tap'
import { findEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { freePort } from './free-port.ts'

/** The command as users have it: built, not from source. */
export const FANFARE = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Home {
  readonly dataDir: string
  readonly port: number
  readonly sandboxPort: number
  readonly environment: NodeJS.ProcessEnv
}

/** A data directory and ports of its own. What was left running on it is killed when the test ends. */
export async function givenHome(t: Test, environment: Record<string, string> = {}): Promise<Home> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-home-'))
  // Run by root, Postgres runs as somebody else, who has to get there.
  await chmod(dataDir, 0o711)
  const [port, sandboxPort] = [await freePort(), await freePort()]
  t.teardown(async () => {
    await killPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  })
  const ports = { PORT: String(port), SANDBOX_PORT: String(sandboxPort) }
  // Tests count what they have made.
  const own = { DATA_DIR: dataDir, ...ports, DEMO_HISTORY: 'off', LOG_LEVEL: 'warn' }
  return { dataDir, port, sandboxPort, environment: { ...process.env, ...own, ...environment } }
}

export interface ServiceProcess {
  readonly child: ChildProcess
  readonly output: () => string
  /** Resolves when it prints that it is running; rejects when it ends before. */
  readonly ready: Promise<void>
  /** Resolves when it has ended, however. */
  readonly ended: Promise<unknown>
}

export function startProcess(
  home: Home,
  args: readonly string[] = ['serve'],
  program: string = FANFARE,
): ServiceProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: home.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit')
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Fanfare is running')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`ended before it was ready:\n${output}`)))
  })
  ready.catch(() => undefined)
  return { child, output: () => output, ready, ended }
}

export interface Serving {
  /** The base URL of its API; empty without that role. */
  readonly url: string
  /** All that it has written so far, to either stream. */
  said(): string
  /** Kills it; it is gone once this resolves. */
  stop(): Promise<void>
  readonly pid: number
}

/** `fanfare serve` as a process of its own on a given database, killed with the test. */
export async function givenServing(
  t: Test,
  environment: { readonly DATABASE_URL: string; readonly ENCRYPTION_KEY: string } & Readonly<Record<string, string>>,
  roles = 'api,projections,reactors',
): Promise<Serving> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-serving-'))
  const child = spawn(process.execPath, [FANFARE, 'serve', '--roles', roles], {
    env: { ...process.env, PORT: '0', SANDBOX: 'off', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(async () => {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk.toString()
      if (/Fanfare is running[^]*\n$/.test(said)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`it ended before it was running: ${said}`)))
  })
  return { url: /http:\/\/\S+(?=\/v1)/.exec(said)?.[0] ?? '', said: () => said, stop, pid: child.pid ?? 0 }
}

/** Runs a command to its end. */
export async function runCommand(home: Home, args: readonly string[]) {
  const child = spawn(process.execPath, [FANFARE, ...args], {
    env: home.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const result = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (result.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (result.stderr += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { ...result, code: code ?? -1 }
}

/** Kills the embedded server of a data directory without a word, as a power cut would. */
export async function killPostgres(dataDir: string): Promise<void> {
  const url = await findEmbeddedPostgres(dataDir)
  if (!url) return
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pg_backend_pid() as pid union select pid from pg_stat_activity where pid is not null`,
  )
  const { rows: folder } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const postmaster = Number((await readFile(join(folder[0]?.folder ?? '', 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
  for (const pid of [postmaster, ...rows.map(({ pid }) => pid)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Gone already, with its postmaster.
    }
  }
  await client.end().catch(() => undefined)
}

/** Polls until the condition gives something. */
export async function until<T>(what: string, ms: number, condition: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + ms
  for (;;) {
    const found = await condition()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`waited ${ms / 1000} s in vain for ${what}`)
    await wait(50)
  }
}
