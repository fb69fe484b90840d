import { InvalidArgumentError, type Command } from 'commander'
import type { Core } from '../wiring/core.ts'
import { projections } from '../../projections/models/index.ts'
import { MOST_THREADS } from '../../projections/rebuild/threads.ts'
import { print, type Output } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { isSound, projectionStatus, rebuildProjections, rebuiltTable, statusTable } from './projections.ts'
import { json, stopSignals, withCore } from './run.ts'

interface RebuildOptions {
  readonly replace?: true
  readonly restart?: true
  readonly threads?: number
}

/** No read models are caught up or migrated beforehand. */
const AS_THEY_ARE = [] as const

/** `fanfare projections …` */
export function projectionCommands(program: Command): void {
  const readModels = program.command('projections').description('show the status of the read models, or rebuild them')
  readModels
    .command('status')
    .description('show how far each read model is behind the log, and whether one has halted')
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
    .argument('[names...]', 'the read models to rebuild; default: all', parseName)
    .description(
      'rebuild read models from the log while the service runs, and replace the live tables if they are equal',
    )
    .option('--replace', 'replace the live tables even if they differ')
    .option(
      '--threads <number>',
      `number of threads for a long log, at most ${MOST_THREADS}; default: one less than the number of processors`,
      parseThreads,
    )
    .option('--restart', 'start over, even if an earlier rebuild was interrupted')
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
  throw new InvalidArgumentError(`${value} is not a projection; the projections are ${names.join(', ')}.`)
}

function parseThreads(value: string): number {
  const threads = Number(value)
  if (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS) return threads
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_THREADS}.`)
}
