import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostmaster, freePort } from '../../infra/postgres/embedded/server.ts'
import { atMost, systemClock } from '../../infra/runtime/clock.ts'
import { familyOf, memoryMb } from './process-cost.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'

/** Time from the start until memory is measured. */
const IDLE_MS = 15_000
const ASK_EVERY_MS = 5
const START_PATIENCE_MS = 120_000
const STOP_PATIENCE_MS = 30_000

/** The cost of starting the service and leaving it idle, with its embedded Postgres and its sandbox. */
export async function benchIdle(_server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const ours = living('Fanfare', ['../cli/main.js', 'serve'])
  const theirs = living('Fastify + embedded Postgres', ['./idle-floor.js'])
  // A process that is restarted each time does not warm up.
  const rounds = await takeTurns([...ours, ...theirs], { ...options, warmUps: 0 })
  const line = (what: string, unit: string, index: number) =>
    compare(
      what,
      unit,
      { name: 'Fanfare', rounds: rounds[index] ?? [] },
      { name: 'Fastify + embedded Postgres', rounds: rounds[index + ours.length] ?? [] },
    )
  return [
    line('first start, to the first response', 's', 0),
    line('later start, to the first response', 's', 1),
    line('idle memory, Node.js', 'MB', 2),
    line('idle memory, Postgres', 'MB', 3),
  ]
}

interface Life {
  readonly firstStartMs: number
  readonly laterStartMs: number
  readonly nodeMb: number
  readonly postgresMb: number
}

/** All four values come from one life. */
function living(name: string, program: readonly string[]): readonly Contender[] {
  let life: Life | undefined
  const told = (what: string, value: (life: Life) => number, live?: () => Promise<void>): Contender => ({
    name: `${name}, ${what}`,
    measure: async () => {
      await live?.()
      return { perSecond: life ? value(life) : NaN }
    },
  })
  const live = async () => void (life = await lifeOf(program))
  return [
    told('first start, s', ({ firstStartMs }) => firstStartMs / 1000, live),
    told('later start, s', ({ laterStartMs }) => laterStartMs / 1000),
    told('Node.js, MB', ({ nodeMb }) => nodeMb),
    told('Postgres, MB', ({ postgresMb }) => postgresMb),
  ]
}

async function lifeOf(program: readonly string[]): Promise<Life> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
  // When run as root, Postgres runs as another user, who needs access to this folder.
  await chmod(folder, 0o711)
  try {
    const first = await start(program, folder)
    await systemClock.sleep(IDLE_MS)
    const postmaster = await findPostmaster(await realpath(join(folder, 'postgres')))
    const postgresMb = await memoryMb(await familyOf(postmaster?.pid ?? NaN))
    const nodeMb = await memoryMb([first.pid])
    await first.stop()
    const later = await start(program, folder)
    await later.stop()
    return { firstStartMs: first.tookMs, laterStartMs: later.tookMs, nodeMb, postgresMb }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts a program on a data directory; resolves once it answers. */
async function start([file = '', ...args]: readonly string[], dataDir: string) {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const began = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await atMost(systemClock, STOP_PATIENCE_MS, ended)
    child.kill('SIGKILL')
  }
  while (!(await isAnswering(`http://127.0.0.1:${port}/healthz`))) {
    if (child.exitCode !== null || performance.now() - began > START_PATIENCE_MS) {
      await stop()
      throw new Error(`${file} did not start`)
    }
    await systemClock.sleep(ASK_EVERY_MS)
  }
  return { tookMs: performance.now() - began, pid: child.pid ?? NaN, stop }
}

function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
