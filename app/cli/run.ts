import { Option } from 'commander'
import { findEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { openCore, type Core } from '../main.ts'
import type { AnyProjection } from '../../projections/engine/projection.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { print, type Output } from './output.ts'

export const json = () => new Option('--json', 'print JSON on standard output')
export const inWorkspace = () =>
  new Option('--workspace <workspace>', 'id or name of the workspace').makeOptionMandatory()

/** Runs a command beside the service, or without it, and prints what it gives. */
export async function run(options: Output, work: (core: Core) => Promise<unknown>): Promise<void> {
  await withCore(async (core) => {
    // The service may be down: then nobody else has shown what was written last.
    await core.projector.catchUp()
    print(await work(core), options.json ?? false)
  })
}

/**
 * Without the service the embedded database is started for as long as it takes.
 *
 * @param laidOut the read models that are brought to this version before; default: all
 */
export async function withCore(work: (core: Core) => Promise<void>, laidOut?: readonly AnyProjection[]): Promise<void> {
  const settings = readSettings(process.env)
  // Only a start from nothing takes long enough to be told about.
  const quiet = settings.DATABASE_URL !== undefined || (await findEmbeddedPostgres(settings.DATA_DIR)) !== undefined
  const progress = (message: string) => void (quiet || tell(`… ${message}`))
  const core = await openCore(settings, createLogger('error'), progress, laidOut ? { laidOut } : {})
  try {
    await work(core)
  } finally {
    await core.close()
  }
}

/** What is no result: on standard error. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}
