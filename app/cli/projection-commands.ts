import { InvalidArgumentError, type Command } from 'commander'
import type { Core } from '../wiring/core.ts'
import { projections } from '../../projections/models/index.ts'
import { MOST_THREADS } from '../../projections/rebuild/threads.ts'
import { print, type Output } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { isSound, projectionStatus, rebuildProjections, rebuiltTable, statusTable } from './projections.ts'
import { json, withCore } from './run.ts'

interface RebuildOptions {
  readonly replace?: true
  readonly restart?: true
  readonly threads?: number
}

/** No read models are caught up or migrated beforehand. */
const AS_THEY_ARE = [] as const

/** `fanfare projections …` */
export function projectionCommands(program: Command): void {
  const readModels = program
    .command('projections')
    .description('the read models: where they stand, and building them anew')
  readModels
    .command('status')
    .description('how far each is behind the log, and whether one stands still')
    .addOption(json())
    .action((options: Output) => {
      const work = async (core: Core) => {
        const status = await projectionStatus(core)
        if (!isSound(status)) process.exitCode = 1
        print(options.json ? status : statusTable(status), options.json ?? false)
      }
      return withCore(work, AS_THEY_ARE)
    })
  readModels
    .command('rebuild')
    .argument('[names...]', 'which of them; default: all', parseName)
    .description('build them anew out of the log, while the service runs, and put them in place when they are equal')
    .option('--replace', 'put them in place also where they differ from what is shown')
    .option(
      '--threads <number>',
      `how many read a long log, each for some of them, at most ${MOST_THREADS}; default: one for each processor but one`,
      parseThreads,
    )
    .option('--restart', 'begin from nothing, also when a rebuild was broken off')
    .addOption(json())
    .action((names: readonly string[], options: Output & RebuildOptions) => {
      const work = async (core: Core) => {
        const parts = { bar: progressBar(process.stderr, core.clock), signal: stopSignals() }
        const rebuilt = await rebuildProjections(core, names, options, parts)
        if (rebuilt.some(({ now }) => now === 'kept beside')) process.exitCode = 1
        print(options.json ? rebuilt : rebuiltTable(rebuilt), options.json ?? false)
      }
      return withCore(work, AS_THEY_ARE)
    })
}

function parseName(value: string, before: readonly string[] = []): readonly string[] {
  const names = projections.map(({ name }) => name)
  if (names.includes(value)) return [...before, value]
  throw new InvalidArgumentError(`${value} is no projection; they are ${names.join(', ')}.`)
}

function parseThreads(value: string): number {
  const threads = Number(value)
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS) return threads
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${MOST_THREADS}.`)
}

/** Aborts on Ctrl-C or SIGTERM; a second signal exits immediately. */
function stopSignals(): AbortSignal {
  const stopping = new AbortController()
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(name, () => (stopping.signal.aborted ? process.exit(code) : stopping.abort()))
  }
  return stopping.signal
}
