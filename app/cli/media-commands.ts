import type { Command } from 'commander'
import type { MediaEdit } from '../../domain/media/media.ts'
import { deleteMediaOf, editMediaOf, mediaOf, showMedia, uploadFile } from './media.ts'
import type { Output } from './output.ts'
import { inWorkspace, json, run } from './run.ts'

const ALT = 'what it shows: the alt text of posts that give none of their own'
const KEEP = 'keep it until it is deleted, used or not'

interface Edit {
  readonly alt?: string
  readonly keep?: boolean
}

function editIn({ alt, keep }: Edit): MediaEdit {
  return { ...(alt !== undefined && { altText: alt }), ...(keep !== undefined && { keep }) }
}

/** `fanfare media` (docs/media.md). */
export function mediaCommands(program: Command): void {
  const media = program.command('media').description('manage uploaded files')
  media
    .command('upload')
    .argument('<file>')
    .description('upload an image, a video or a document; its mediaUrl is that of posts')
    .option('--alt <text>', ALT)
    .option('--keep', KEEP)
    .addOption(inWorkspace())
    .addOption(json())
    .action((file: string, options: Output & Edit & { workspace: string }) =>
      run(options, (core) => uploadFile(core, file, { ...options, ...editIn(options), quiet: options.json ?? false })),
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
    .command('edit')
    .argument('<mediaId>')
    .description('set the alt text of an uploaded file, or keep it')
    .option('--alt <text>', `${ALT}; '' removes it`)
    .option('--keep', KEEP)
    .option('--no-keep', 'let it make room for newer media')
    .addOption(json())
    .action((id: string, options: Output & Edit) => run(options, (core) => editMediaOf(core, id, editIn(options))))
  media
    .command('delete')
    .argument('<mediaId>')
    .description('delete an uploaded file that nothing scheduled uses')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => deleteMediaOf(core, id)))
}
