import type { Command } from 'commander'
import { auditHeads, auditLog } from './audit-log.ts'
import { auditOf, timeline } from './audit.ts'
import type { Output } from './output.ts'
import { headsOf, prove, restartTree, type ProofOptions } from './prove.ts'
import { json, run, tell } from './run.ts'

const KINDS =
  'id of a post, video, reply, webhook, delivery, feed, rule, competitor, account, key, user, erasure or workspace'

/** `fanfare audit` (docs/audit.md, docs/proof.md). */
export function auditCommands(program: Command): void {
  const audit = program.command('audit').description('show the history of a resource, prove it, or verify the log')
  audit
    .command('show', { isDefault: true })
    .argument('<id>', KINDS)
    .description('show everything that happened to a resource: who did what, each attempt, each response')
    .addOption(json())
    .action((id: string, options: Output) =>
      run(options, async (core) => {
        const entries = await auditOf(core, id)
        return options.json ? entries : timeline(entries)
      }),
    )
  audit
    .command('verify')
    .description('read the whole log and verify that nothing is missing, malformed, without its cause, or changed')
    .addOption(json())
    .action((options: Output) =>
      run(options, async (core) => {
        const log = await auditLog(core, (events) => tell(`… ${events} events`))
        tell('… verifying the signed heads')
        const found = await auditHeads(core, log)
        if (!found.intact) process.exitCode = 1
        return found
      }),
    )
  audit
    .command('prove')
    .argument('<id>', KINDS)
    .description('write the history of a resource to a file that anybody can verify offline')
    .option('--out <file>', 'the file to write; default: <id>.proof.json')
    .option('--since <size>', 'also prove that nothing was changed since the head of this size was signed')
    .addOption(json())
    .addHelpText('after', '\nThe file contains personal data that is not erased. What it proves: docs/proof.md.')
    .action((id: string, options: Output & ProofOptions) => run(options, (core) => prove(core, id, options)))
  audit
    .command('heads')
    .description('show the public key of the log and its newest signed head')
    .option('--all', 'every head')
    .addOption(json())
    .action((options: Output & { all?: true }) =>
      run(options, async (core) => {
        const { key, heads } = await headsOf(core, options.all ?? false)
        return options.json ? { key, heads } : [key, ...heads].join('\n\n').trimEnd()
      }),
    )
  audit
    .command('restart')
    .description('begin another history with another key, after the log was restored from an older backup')
    .requiredOption('--yes', 'confirm: heads signed so far no longer say anything about the log')
    .addOption(json())
    .action((options: Output) => run(options, restartTree))
}
