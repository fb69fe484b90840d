import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import { startEmbeddedPostgres } from '../embedded.ts'
import { findPostmaster, runsOn, shutDown } from './server.ts'

/**
 * Stops the server of a data directory that no process uses any longer, e.g. after a `kill -9`.
 *
 * @returns the process id of the server, if another process is still using it
 */
export async function stopLeftBehind(dataDir: string, clock: Clock): Promise<number | undefined> {
  // Does not go through the cluster, which may be unusable.
  const data = await dataOf(dataDir)
  if (data === undefined || !(await findPostmaster(data))) return undefined
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, clock })
  await postgres.stop()
  return (await findPostmaster(data))?.pid
}

/** Removes the data directory of a dead process, with its server, and its database wherever that is. */
export async function removeDataDir(dataDir: string, clock: Clock): Promise<void> {
  const data = await dataOf(dataDir)
  const server = data === undefined ? undefined : await findPostmaster(data)
  if (data !== undefined && server) await shutDown(server.pid, () => runsOn(server.pid, data), clock)
  for (const path of [data, dataDir]) {
    if (path !== undefined) await rm(path, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function dataOf(dataDir: string): Promise<string | undefined> {
  return realpath(join(dataDir, 'postgres')).catch(() => undefined)
}
