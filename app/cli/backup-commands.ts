import type { Command } from 'commander'
import { readSettings } from '../../infra/runtime/settings.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { backUp, type BackedUp } from './backup/backup.ts'
import { backupByHand, script, type ByHand } from './backup/external.ts'
import { meter } from './meter.ts'
import { print, type Output } from './output.ts'
import { json, tell } from './run.ts'

const MB = 1e6

/** `fanfare backup` (docs/operations.md, Backup). */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .argument('<folder>', 'an empty folder, or one that does not exist yet; for example backups/$(date +%F)')
    .description('back up everything that must not be lost to a folder: the log, credentials, the key, made media')
    .addOption(json())
    .addHelpText(
      'after',
      '\nThe service can keep running. With DATABASE_URL or EVENTSTORE_URL, nothing is written: the commands to run are\nprinted, and the exit code is 1.',
    )
    .action(async (folder: string, options: Output) => {
      const settings = readSettings(process.env)
      const byHand = backupByHand(settings, folder)
      if (byHand) return printByHand(byHand, options)
      const rate = meter({ clock: systemClock })
      const progress = (bytes: number) => rate('MB written', Math.floor(bytes / MB))
      const backup = await backUp({ settings, clock: systemClock, tell, progress }, folder)
      print(backup, options.json ?? false)
      for (const note of notesOn(backup)) tell(note)
    })
}

/** Prints the manual steps. Nothing was done, and a nightly job must notice. */
export function printByHand(byHand: ByHand, options: Output): void {
  print(options.json ? byHand : script(byHand), options.json ?? false)
  tell(byHand.why)
  process.exitCode = 1
}

function notesOn({ key, media }: BackedUp): readonly string[] {
  return [
    key === 'included'
      ? 'The folder contains the encryption key: anyone who has it can use the connected accounts.'
      : 'ENCRYPTION_KEY is not in the backup: keep it separately. Without it, the credentials cannot be decrypted.',
    ...(media === 'bucket'
      ? ["Made media is not in the backup: back up the bucket with your object store's own tools."]
      : []),
  ]
}
