import { Option, type Command } from 'commander'
import type { Output } from './output.ts'
import { FOR_UNKNOWN, releaseRestored, restoreStatus, type ForUnknown } from './restore/restored.ts'
import { json, run, tell } from './run.ts'

/** `fanfare restore …` (docs/operations.md, Backup). */
export function restoreCommands(program: Command): void {
  const restore = program.command('restore').description('a service that is held because its log was restored')
  restore
    .command('status')
    .description('what was looked for on the platforms, what waits, and what a release does with it')
    .addOption(json())
    .action((options: Output) =>
      run(options, async (core) => {
        const status = await restoreStatus(core)
        if (options.json) return status
        const { heldSince, found, toLookFor, waiting } = status
        if (heldSince === undefined) tell('Nothing is held.')
        else tell(`Nothing has been sent since ${heldSince}. Found and settled: ${found}. To look for: ${toLookFor}.`)
        return waiting
      }),
    )
  restore
    .command('release')
    .description('send what was looked for and is not live')
    .addOption(
      new Option(
        '--unknown <what>',
        'what nothing can tell: fail (its owner may retry it) or send (it may be live twice)',
      ).choices(FOR_UNKNOWN),
    )
    .addOption(json())
    .action((options: Output & { unknown?: ForUnknown }) => run(options, (core) => releaseRestored(core, options)))
}
