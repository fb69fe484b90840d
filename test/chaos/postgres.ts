import { execFile } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { findCluster } from '../../infra/postgres/embedded/cluster.ts'
import { findPostmaster } from '../../infra/postgres/embedded/server.ts'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { until } from '../support/service-process.ts'

const run = promisify(execFile)

export interface Postgres {
  readonly connectionString: string
  readonly port: number
  /** To the server and all of its processes. One that is killed comes back by itself. */
  signal(signal: NodeJS.Signals): Promise<void>
  /** Resolves when it takes connections. */
  up(): Promise<void>
}

/** A server of its own, that its keeper in this process starts again whenever it dies. */
export async function givenPostgres(t: Pick<Test, 'teardown'>, dataDir: string): Promise<Postgres> {
  // Run by root, Postgres runs as somebody else, who has to get there.
  await chmod(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, clock: systemClock })
  t.teardown(() => server.stop())
  const postmaster = async () => {
    const cluster = await findCluster(dataDir)
    return cluster && findPostmaster(cluster.folder)
  }
  return {
    connectionString: server.connectionString,
    port: Number(new URL(server.connectionString).port),
    signal: async (signal) => {
      const found = await postmaster()
      if (!found) return
      for (const pid of [found.pid, ...(await childrenOf(found.pid))]) {
        try {
          process.kill(pid, signal)
        } catch {
          // Gone already, with its postmaster.
        }
      }
    },
    up: () =>
      until('Postgres to be up', 120_000, async () =>
        (await postmaster())?.status === 'ready' ? true : undefined,
      ).then(() => undefined),
  }
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number)
    return ppid === parent && pid !== undefined ? [pid] : []
  })
}
