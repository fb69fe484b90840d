import type { Command } from 'commander'
import { SHARED_KINDS } from '../../domain/notification/channel.ts'
import { TOPICS } from '../../domain/notification/topic.ts'
import { addChannelTo, channelsOf, deleteChannel, testChannel } from './channels.ts'
import type { Output } from './output.ts'
import { inWorkspace, json, run } from './run.ts'

interface CreateOptions extends Output {
  readonly workspace: string
  readonly topics?: string
}

/** `fanfare channels` (docs/notifications.md). */
export function channelCommands(program: Command): void {
  const channels = program.command('channels').description('manage where the people of a workspace are notified')
  channels
    .command('list')
    .description('list the notification channels of a workspace, without those of single users')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => channelsOf(core, options.workspace)))
  channels
    .command('create')
    .argument('<kind>', SHARED_KINDS.join(', '))
    .description('add a channel; an e-mail address first gets a link that confirms it')
    .addOption(inWorkspace())
    .option('--address <address>', 'of kind email: the address')
    .option('--url <url>', 'of kinds slack and discord: the webhook; of ntfy: the topic; of telegram: another server')
    .option('--bot-token <token>', 'of kind telegram: the token of the bot')
    .option('--chat <chat>', 'of kind telegram: the chat')
    .option('--token <token>', 'of kind ntfy: the access token, if it needs one')
    .option('--topics <topics>', `one or more of ${TOPICS.join(',')}; default: all`)
    .option('--label <label>', 'a name for the list')
    .option('--timezone <zone>', 'IANA name, such as Europe/Berlin')
    .option('--digest-at <time>', 'everything once a day, at this time, such as 09:00')
    .addOption(json())
    .action((kind: string, { workspace, json, topics, ...given }: CreateOptions) =>
      run({ ...(json && { json }) }, (core) =>
        addChannelTo(core, workspace, { ...given, kind, ...(topics && { topics: topics.split(',') }) }),
      ),
    )
  channels
    .command('test')
    .argument('<channelId>')
    .description('send a test, or the link that confirms an e-mail address again')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => testChannel(core, id)))
  channels
    .command('delete')
    .argument('<channelId>')
    .description('remove a channel; what was not sent yet is not sent')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => deleteChannel(core, id)))
}
