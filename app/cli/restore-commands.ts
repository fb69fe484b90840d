import { Option, type Command } from 'commander'
import { systemClock } from '../../infra/runtime/clock.ts'
import { readSettings } from '../../infra/runtime/settings.ts'
import { printByHand } from './backup-commands.ts'
import { restoreByHand } from './backup/external.ts'
import { meter } from './meter.ts'
import { forShell, print, type Output } from './output.ts'
import { restore as restoreFrom } from './restore/restore.ts'
import { FOR_UNKNOWN, releaseRestored, restoreStatus, type ForUnknown } from './restore/restored.ts'
import { json, run, tell } from './run.ts'

/** `fanfare restore …` (docs/operations.md, Backup). */
export function restoreCommands(program: Command): void {
  const restore = program
    .command('restore')
    .description('restore a backup, and show or release the work that a restored service holds back')
  restore
    .command('from', { isDefault: true })
    .argument('<folder>', 'made by fanfare backup, or kept by an earlier restore')
    .description('replace the data with a backup; stop the service first (fanfare restore <folder> does the same)')
    .addOption(json())
    .addHelpText(
      'after',
      '\nThe current data is kept. With DATABASE_URL or EVENTSTORE_URL, nothing is restored: the commands to run are printed,\nand the exit code is 1.',
    )
    .action(async (folder: string, options: Output) => {
      const settings = readSettings(process.env)
      const byHand = restoreByHand(settings, folder)
      if (byHand) return printByHand(byHand, options)
      const rate = meter({ clock: systemClock })
      const progress = (bytes: number) => rate('MB read', Math.floor(bytes / 1e6))
      const restored = await restoreFrom({ settings, clock: systemClock, tell, progress }, folder)
      print(restored, options.json ?? false)
      tell(
        'The service starts held. See what is waiting with fanfare restore status, then run fanfare restore release.',
      )
      const { kept } = restored
      if (kept !== undefined)
        tell(`The previous data is in ${kept}. To undo the restore: fanfare restore ${forShell(kept)}`)
    })
  restore
    .command('status')
    .description('show what was looked up on the platforms, what is waiting, and what a release does with it')
    .addOption(json())
    .action((options: Output) =>
      run(options, async (core) => {
        const status = await restoreStatus(core)
        if (options.json) return status
        const { heldSince, found, toLookFor, waiting } = status
        if (heldSince === undefined) tell('Nothing is held.')
        else tell(`Nothing has been sent since ${heldSince}. Found and settled: ${found}. To look up: ${toLookFor}.`)
        return waiting
      }),
    )
  restore
    .command('release')
    .description('send what was looked up and is not live')
    .addOption(
      new Option(
        '--unknown <what>',
        'what to do with unknown outcomes: fail (the owner can retry) or send (it may be live twice)',
      ).choices(FOR_UNKNOWN),
    )
    .addOption(json())
    .action((options: Output & { unknown?: ForUnknown }) => run(options, (core) => releaseRestored(core, options)))
}
