import type { Command } from 'commander'
import { draftsOf, publishDraftNow, removeDraft, showDraft } from './drafts.ts'
import { importPosts, type ImportPostsOptions } from './import-posts.ts'
import type { Output } from './output.ts'
import { editPost, showPost, unpublish, type EditOptions } from './posts.ts'
import { publish, type PublishOptions } from './publish.ts'
import { each, inWorkspace, json, run } from './run.ts'

/** `fanfare posts` and `fanfare drafts` (docs/posts.md). */
export function postCommands(program: Command): void {
  const posts = program.command('posts').description('manage posts')
  posts
    .command('publish')
    .description('publish a text, images, videos or a document; fanfare posts show <id> shows what became of it')
    .addOption(inWorkspace())
    .option(
      '--media <file or URL>',
      'a file of this computer, which is uploaded, or a public URL; again for each further item',
      each,
    )
    .option('--alt <text>', 'the alt text of the first item; again for each further item', each)
    .requiredOption('--accounts <ids>', 'ids of accounts, separated by commas')
    .option('--caption <text>', 'the caption, or the text of a post without media')
    .option('--part <text>', 'a part that follows as a reply; again for each further part', each)
    .option('--type <type>', 'image, video or document; only for URLs, again for each if they differ', each)
    .addOption(json())
    .action((options: PublishOptions) => run(options, (core) => publish(core, options)))
  posts
    .command('show')
    .argument('<postId>')
    .description('show a post: its status, and on how many accounts it is published')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => showPost(core, id)))
  posts
    .command('edit')
    .argument('<postId>')
    .description('edit a scheduled post, or the caption of a published one; what is not given stays as it is')
    .option('--caption <text>', 'the caption')
    .option('--at <time>', 'next-slot, or a time in UTC such as 2026-05-31T16:00:00Z; instead of date and time')
    .option('--date <date>', 'the day, such as 2026-05-31')
    .option('--time <time>', 'the time of day, such as 09:00')
    .option('--timezone <zone>', 'IANA name, such as Europe/Berlin')
    .addOption(json())
    .action((id: string, { json, ...options }: Output & EditOptions) =>
      run({ ...(json && { json }) }, (core) => editPost(core, id, options)),
    )
  posts
    .command('unpublish')
    .argument('<postId>')
    .description('delete a published post from its accounts; fanfare posts show <id> shows what became of it')
    .option('--account <id>', 'only from this account; again for each further one', each)
    .addOption(json())
    .action((id: string, { account, ...options }: Output & { account?: readonly string[] }) =>
      run(options, (core) => unpublish(core, id, account)),
    )

  posts
    .command('import')
    .argument('<file>')
    .description('schedule posts from a CSV file; the same file again schedules nothing twice')
    .addOption(inWorkspace())
    .option('--timezone <zone>', 'of the local times in it; IANA name, such as Europe/Berlin', 'UTC')
    .option('--dry-run', 'check and preview every row, and schedule nothing')
    .option('--skip-invalid', 'schedule the other rows if a row has a problem')
    .addOption(json())
    .action((file: string, options: ImportPostsOptions & Output) =>
      run(options, (core) => importPosts(core, file, options)),
    )

  const drafts = program.command('drafts').description('manage drafts of posts')
  drafts
    .command('list')
    .description('list the drafts of a workspace')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => draftsOf(core, options.workspace)))
  drafts
    .command('show')
    .argument('<draftId>')
    .description('show a draft')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => showDraft(core, id)))
  drafts
    .command('delete')
    .argument('<draftId>')
    .description('delete a draft; a post that it has become stays')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => removeDraft(core, id)))
  drafts
    .command('publish')
    .argument('<draftId>')
    .description('publish a draft that has everything that a post needs')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => publishDraftNow(core, id)))
}
