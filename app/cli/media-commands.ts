import type { Command } from 'commander'
import { deleteMediaOf, mediaOf, showMedia, uploadFile } from './media.ts'
import type { Output } from './output.ts'
import { publish, type PublishOptions } from './publish.ts'
import { inWorkspace, json, run } from './run.ts'

/** Collects the values of an option that may be given several times. */
const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** `fanfare media` and `fanfare posts` (docs/media.md). */
export function mediaCommands(program: Command): void {
  const posts = program.command('posts').description('publish posts')
  posts
    .command('publish')
    .description('publish images or videos; fanfare audit <id> shows what became of it')
    .addOption(inWorkspace())
    .requiredOption(
      '--media <file or URL>',
      'a file of this computer, which is uploaded, or a public URL; again for each further item',
      each,
    )
    .option('--alt <text>', 'the alt text of the first item; again for each further item', each)
    .requiredOption('--accounts <ids>', 'ids of accounts, separated by commas')
    .option('--caption <text>', 'the caption')
    .option('--type <type>', 'image or video; only for URLs, again for each if they differ', each)
    .addOption(json())
    .action((options: PublishOptions) => run(options, (core) => publish(core, options)))

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
