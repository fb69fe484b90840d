import { Option, type Command } from 'commander'
import { NEEDS_APPROVAL } from '../../domain/workspace/approval-policy.ts'
import {
  approvalPolicyOf,
  approvalsOf,
  approvePost,
  rejectPost,
  requestChangesOf,
  shareForApproval,
  showApproval,
  unshare,
  type ApproveOptions,
  type PolicyOptions,
  type ShareOptions,
} from './approvals.ts'
import type { Output } from './output.ts'
import { each, inWorkspace, json, run } from './run.ts'

/** `fanfare approvals` (docs/approvals.md). */
export function approvalCommands(program: Command): void {
  const approvals = program.command('approvals').description('review posts before they are published')
  approvals
    .command('policy')
    .description('show whose posts and replies need approval, or set it')
    .addOption(inWorkspace())
    .addOption(new Option('--who <who>', 'whose need approval').choices(NEEDS_APPROVAL))
    .option('--account <id>', 'only on this account; again for each further one', each)
    .addOption(json())
    .action(({ workspace, who, account, ...options }: Output & PolicyOptions & { workspace: string }) =>
      run(options, (core) => approvalPolicyOf(core, workspace, { ...(who && { who }), ...(account && { account }) })),
    )
  approvals
    .command('list')
    .description('list the posts that await approval')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => approvalsOf(core, options.workspace)))
  approvals
    .command('show')
    .argument('<postId>')
    .description('show the approval of a post: its comments, and what was edited')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => showApproval(core, id)))
  approvals
    .command('approve')
    .argument('<postId>')
    .description('approve a post, which is published at its time')
    .option('--seen <version>', 'the version that you looked at; default: the current one')
    .option('--comment <text>', 'for the author')
    .option('--at <time>', 'another time in UTC, or now')
    .addOption(json())
    .action((id: string, options: Output & ApproveOptions) => run(options, (core) => approvePost(core, id, options)))
  approvals
    .command('request-changes')
    .argument('<postId>')
    .description('ask the author to change a post')
    .requiredOption('--comment <text>', 'what to change')
    .addOption(json())
    .action((id: string, options: Output & { comment: string }) =>
      run(options, (core) => requestChangesOf(core, id, { comment: options.comment })),
    )
  approvals
    .command('reject')
    .argument('<postId>')
    .description('reject a post, which is cancelled')
    .option('--comment <text>', 'for the author')
    .addOption(json())
    .action((id: string, { comment, ...options }: Output & { comment?: string }) =>
      run(options, (core) => rejectPost(core, id, comment === undefined ? {} : { comment })),
    )
  approvals
    .command('share')
    .argument('<postId>')
    .description('create a link with which a client reviews a post without a login')
    .option('--label <name>', 'whom it is for')
    .option('--days <days>', 'how long it works, 1 to 30; default: 7')
    .option('--comment-only', 'they cannot approve or reject')
    .addOption(json())
    .action((id: string, options: Output & ShareOptions) => run(options, (core) => shareForApproval(core, id, options)))
  approvals
    .command('unshare')
    .argument('<postId>')
    .argument('<linkId>')
    .description('revoke a link to a post')
    .addOption(json())
    .action((id: string, linkId: string, options: Output) => run(options, (core) => unshare(core, id, linkId)))
}
