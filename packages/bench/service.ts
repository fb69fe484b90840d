import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openCore, type Core } from '../../app/wiring/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { startChild } from './child.ts'
import type { Server } from './server.ts'

/** The service running in a separate process. */
export interface ServiceAtWork {
  /** URL of its API, if it has one. */
  readonly url: string
  /** The same log and read models, opened in this process to create work and to check its results. */
  readonly core: Core
  readonly pid: number
  stop(): Promise<void>
}

/**
 * Starts the roles that do the due work, on an empty database of this name.
 *
 * @param file of the service's process, when it is not the default
 */
export async function startAtWork(
  server: Server,
  name: string,
  more: Readonly<Record<string, string>> = {},
  file?: string,
): Promise<ServiceAtWork> {
  return startOn({ ...(await environmentOf(server, name)), ...more }, file)
}

/** Like `startAtWork`, any number of times, on a database that `prepare` has filled. */
export async function preparedService(
  server: Server,
  name: string,
  prepare: (core: Core) => Promise<void>,
): Promise<() => Promise<ServiceAtWork>> {
  const environment = await environmentOf(server, name)
  const core = await openAt(environment)
  try {
    await prepare(core)
  } finally {
    await core.close()
  }
  return () => startOn(environment)
}

async function startOn(
  environment: Readonly<Record<string, string>>,
  file = './reactors-service.js',
): Promise<ServiceAtWork> {
  const child = await startChild(file, environment)
  const core = await openAt(environment)
  return {
    core,
    url: child.url,
    pid: child.pid,
    stop: async () => {
      await core.close()
      await child.stop()
    },
  }
}

/** The service's parts on an empty database of this name, with nothing running on it. */
export async function openIdle(server: Server, name: string): Promise<Core> {
  return openAt(await environmentOf(server, name))
}

export async function environmentOf(server: Server, name: string): Promise<Readonly<Record<string, string>>> {
  return {
    DATABASE_URL: await server.database(name),
    DATA_DIR: join(server.folder, name),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
}

export function openAt(environment: Readonly<Record<string, string>>): Promise<Core> {
  const settings = readSettings(environment)
  return openCore(settings, createLogger(settings.LOG_LEVEL), () => undefined)
}
