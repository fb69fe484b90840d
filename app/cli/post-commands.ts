import type { Command } from 'commander'
import type { Output } from './output.ts'
import { showPost } from './posts.ts'
import { publish, type PublishOptions } from './publish.ts'
import { inWorkspace, json, run } from './run.ts'

/** Collects the values of an option that may be given several times. */
const each = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** `fanfare posts` (docs/posts.md). */
export function postCommands(program: Command): void {
  const posts = program.command('posts').description('manage posts')
  posts
    .command('publish')
    .description('publish images or videos; fanfare posts show <id> shows what became of it')
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
  posts
    .command('show')
    .argument('<postId>')
    .description('show a post: its status, and on how many accounts it is published')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => showPost(core, id)))
}
