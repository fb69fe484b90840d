import { Option } from 'commander'
import { findEmbeddedPostgres } from '../../infra/postgres/embedded.ts'
import { openCore, type Core } from '../wiring/core.ts'
import type { AnyProjection } from '../../projections/engine/projection.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { print, type Output } from './output.ts'

export const json = () => new Option('--json', 'print JSON on standard output')
export const inWorkspace = () =>
  new Option('--workspace <workspace>', 'id or name of the workspace').makeOptionMandatory()

/** Runs a command, whether or not the service is running, and prints its result. */
export async function run(options: Output, work: (core: Core) => Promise<unknown>): Promise<void> {
  await withCore(async (core) => {
    // The service may be down, so the read models may lag behind the log.
    await core.projector.catchUp()
    print(await work(core), options.json ?? false)
  })
}

/**
 * Opens everything that a command needs. If the service is not running, the embedded database is started for the duration.
 *
 * @param laidOut the read models to migrate to this version beforehand; default: all
 */
export async function withCore(work: (core: Core) => Promise<void>, laidOut?: readonly AnyProjection[]): Promise<void> {
  const settings = readSettings(process.env)
  // What it says of a running embedded Postgres is for the service.
  const quiet = settings.DATABASE_URL === undefined && (await findEmbeddedPostgres(settings.DATA_DIR)) !== undefined
  const progress = (message: string) => void (quiet || tell(`… ${message}`))
  const core = await openCore(settings, createLogger('error'), progress, laidOut ? { laidOut } : {})
  try {
    await work(core)
  } finally {
    await core.close()
  }
}

/** Prints what is not a result to stderr. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Collects the values of an option that may be given several times. */
export const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Aborts on Ctrl-C or SIGTERM; a second signal exits immediately. */
export function stopSignals(): AbortSignal {
  const stopping = new AbortController()
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => (stopping.signal.aborted ? process.exit(code) : stopping.abort()))
  }
  return stopping.signal
}
