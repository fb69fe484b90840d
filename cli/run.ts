import { Option } from 'commander'
import { findEmbeddedPostgres } from '../database/embedded.ts'
import { openCore, type Core } from '../main.ts'
import { createLogger } from '../system/logger.ts'
import { readSettings } from '../system/settings.ts'
import { print, type Output } from './output.ts'

export const json = () => new Option('--json', 'print JSON on standard output')
export const inWorkspace = () =>
  new Option('--workspace <workspace>', 'id or name of the workspace').makeOptionMandatory()

export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/**
 * Runs a command beside the service, or without it: then the embedded database is started for as long as it takes.
 *
 * @param readModels `as it is`: neither brought up to date nor to this version before
 */
export async function run(
  options: Output,
  work: (core: Core) => Promise<unknown>,
  readModels: 'up to date' | 'as it is' = 'up to date',
): Promise<void> {
  const settings = readSettings(process.env)
  // Only a start from nothing takes long enough to be told about.
  const quiet = settings.DATABASE_URL !== undefined || (await findEmbeddedPostgres(settings.DATA_DIR)) !== undefined
  const progress = (message: string) => void (quiet || process.stderr.write(`… ${message}\n`))
  const asItIs = readModels === 'as it is'
  const core = await openCore(settings, createLogger('error'), progress, asItIs ? { laidOut: [] } : {})
  try {
    // The service may be down: then nobody else has shown what was written last.
    if (!asItIs) await core.projector.catchUp()
    print(await work(core), options.json ?? false)
  } finally {
    await core.close()
  }
}
