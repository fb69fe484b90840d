import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { freePort } from './free-port.ts'
import { until } from './service-process.ts'

/**
 * A program that starts a real EventStoreDB without TLS: `program folder port` returns once it is healthy, with its process id
 * in `folder/pid`. Started again on the same folder, it has the same data.
 */
export const EVENTSTOREDB = process.env['FANFARE_TEST_EVENTSTOREDB']

const run = promisify(execFile)

export interface EventStoreDb {
  readonly connectionString: string
  start(): Promise<void>
  /** kill -9 */
  stop(): Promise<void>
  signal(name: NodeJS.Signals): Promise<void>
}

export async function givenEventStoreDb(t: Pick<Test, 'teardown'>): Promise<EventStoreDb> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-eventstoredb-'))
  const port = await freePort()
  // The server takes such variables for its own settings.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_'))
  const start = async () => {
    await run(EVENTSTOREDB ?? '', [folder, String(port)], { env: Object.fromEntries(own), timeout: 120_000 })
  }
  /** @returns whether it is there */
  const signal = async (name: NodeJS.Signals | 0) => {
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
    try {
      return process.kill(pid, name)
    } catch {
      return false
    }
  }
  const stop = async () => {
    await signal('SIGKILL')
    await until('EventStoreDB to end', 30_000, async () => ((await signal(0)) ? undefined : true))
  }
  t.teardown(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  await start()
  return {
    connectionString: `esdb://127.0.0.1:${port}?tls=false`,
    start,
    stop,
    signal: async (name) => void (await signal(name)),
  }
}
