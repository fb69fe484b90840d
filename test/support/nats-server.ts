import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { until } from './service-process.ts'

export const hasNats = (): boolean => spawnSync('nats-server', ['--version']).status === 0

/** A real nats-server with JetStream on loopback, its store in a folder of its own. */
export interface NatsServer {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  /** kill -9 */
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Deletes the store of a server that is down. */
  wipe(): Promise<void>
}

export async function givenNatsServer(t: Pick<Test, 'teardown'>): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-nats-'))
  const store = join(folder, 'store')
  const port = await freePort()
  let child: ChildProcess | undefined

  const listening = () =>
    new Promise<true | undefined>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(undefined))
      socket.once('close', () => socket.destroy())
      socket.once('connect', () => socket.destroy())
    })
  const start = async () => {
    child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store], { stdio: 'ignore' })
    await until('nats-server to listen', 60_000, listening)
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  t.teardown(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })
  await start()
  const wipe = () => rm(store, { recursive: true, force: true })
  return { url: `nats://127.0.0.1:${port}`, port, start, kill, wipe, signal: (signal) => void child?.kill(signal) }
}
