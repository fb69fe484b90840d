import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/* The servers of the named stack beside Postgres, each in a folder of its own. */

/** Starts an EventStoreDB, as `FANFARE_TEST_EVENTSTOREDB` does. */
const PROGRAM = process.env['FANFARE_BENCH_EVENTSTOREDB']
const LOOK_EVERY_MS = 20

export interface NamedServer {
  readonly url: string
  readonly pid: number
  /** Kills it, and starts it again on its data and its port. Resolves when it can be used. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

/** @returns undefined if there is no EventStoreDB to start */
export async function startEventStoreDb(
  parent: string,
  progress: (message: string) => void,
): Promise<NamedServer | undefined> {
  if (!PROGRAM) {
    progress('  skipped: FANFARE_BENCH_EVENTSTOREDB is not set to a program that starts EventStoreDB')
    return undefined
  }
  const port = await freePort()
  const folder = join(parent, `eventstoredb-${port}`)
  // The server takes such variables for its own settings.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_'))
  const program = PROGRAM
  const start = async () => {
    await promisify(execFile)(program, [folder, String(port)], { env: Object.fromEntries(own) })
    return Number(await readFile(join(folder, 'pid'), 'utf8'))
  }
  let pid = await start()
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    get pid() {
      return pid
    },
    killAndRestart: async () => {
      process.kill(pid, 'SIGKILL')
      pid = await start()
    },
    stop: async () => void process.kill(pid, 'SIGKILL'),
  }
}

export async function startNats(parent: string): Promise<NamedServer> {
  const [folder, port] = [join(parent, 'nats'), await freePort()]
  await mkdir(folder)
  const start = async () => {
    const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], {
      stdio: 'ignore',
    })
    await Promise.race([reachable(port), once(child, 'error').then(([error]) => Promise.reject(error as Error))])
    return child
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  let child = await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? NaN
    },
    killAndRestart: async () => {
      await kill()
      child = await start()
    },
    stop: kill,
  }
}

/** Resolves when something listens there. */
async function reachable(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
