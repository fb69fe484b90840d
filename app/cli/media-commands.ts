import type { Command } from 'commander'
import { deleteMediaOf, mediaOf, showMedia, uploadFile } from './media.ts'
import type { Output } from './output.ts'
import { inWorkspace, json, run } from './run.ts'

/** `fanfare media` (docs/media.md). */
export function mediaCommands(program: Command): void {
  const media = program.command('media').description('manage uploaded files')
  media
    .command('upload')
    .argument('<file>')
    .description('upload an image or a video; its mediaUrl is that of posts')
    .addOption(inWorkspace())
    .addOption(json())
    .action((file: string, options: Output & { workspace: string }) =>
      run(options, (core) => uploadFile(core, file, { ...options, quiet: options.json ?? false })),
    )
  media
    .command('list')
    .description('list the uploaded files of a workspace')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => mediaOf(core, options.workspace)))
  media
    .command('show')
    .argument('<mediaId>')
    .description('show an uploaded file')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => showMedia(core, id)))
  media
    .command('delete')
    .argument('<mediaId>')
    .description('delete an uploaded file that nothing scheduled uses')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => deleteMediaOf(core, id)))
}
