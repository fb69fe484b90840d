import type { Command } from 'commander'
import type { Output } from './output.ts'
import { releaseRestored, restoreStatus } from './restore/restored.ts'
import { json, run, tell } from './run.ts'

/** `fanfare restore …` (docs/operations.md, Backup). */
export function restoreCommands(program: Command): void {
  const restore = program.command('restore').description('a service that is held because its log was restored')
  restore
    .command('status')
    .description('what waits, and what a release does with it')
    .addOption(json())
    .action((options: Output) =>
      run(options, async (core) => {
        const status = await restoreStatus(core)
        if (options.json) return status
        const { heldSince, waiting } = status
        tell(heldSince === undefined ? 'Nothing is held.' : `Nothing has been sent since ${heldSince}. What waits:`)
        return waiting
      }),
    )
  restore
    .command('release')
    .description('let everything that waits go')
    .option('--yes', 'also what may be live already')
    .addOption(json())
    .action((options: Output & { yes?: true }) => run(options, (core) => releaseRestored(core, options)))
}
