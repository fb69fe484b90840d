#!/usr/bin/env -S node --enable-source-maps
import { Command, InvalidArgumentError, Option } from 'commander'
import { BUDGETS } from '../../domain/workspace/budgets.ts'
import { SCOPES } from '../../domain/core/scope.ts'
import { USER_ROLES } from '../../domain/workspace/role.ts'
import { platforms } from '../../platforms/registry.ts'
import { comparablePlatforms } from '../../reactors/analytics/add-competitor.ts'
import { packageVersion } from '../../infra/runtime/package-root.ts'
import { ROLES, type Role } from '../../infra/runtime/settings.ts'
import { accountCommands } from './account-commands.ts'
import { activityCommand } from './activity.ts'
import { auditCommands } from './audit-commands.ts'
import { channelCommands } from './channel-commands.ts'
import { addCompetitorTo, competitorsOf, removeCompetitorOf } from './competitors.ts'
import { creditsOf, grant } from './credits.ts'
import { diagnose, report } from './doctor.ts'
import { eraseCommand } from './erase.ts'
import { explain } from './explain.ts'
import { addKey, keysOf, limitKey, revokeKey, type KeyOptions } from './keys.ts'
import { backupCommands } from './backup-commands.ts'
import type { Service } from './mcp.ts'
import { mediaCommands } from './media-commands.ts'
import { moveCommands } from './move-commands.ts'
import { print, type Output } from './output.ts'
import { platformCommands } from './platform-commands.ts'
import { approvalCommands } from './approval-commands.ts'
import { postCommands } from './post-commands.ts'
import { projectionCommands } from './projection-commands.ts'
import { rehearseCommand } from './rehearse.ts'
import { restoreCommands } from './restore-commands.ts'
import { rotateMaster } from './rotate-master.ts'
import { each, inWorkspace, json, run, tell, withCore } from './run.ts'
import { userCommands } from './user-commands.ts'
import { addWorkspace, brandVoice, rename, undoOf, workspacesOf } from './workspaces.ts'

const TELL_EVERY = 100
const ROTATE_HELP = `
With ENCRYPTION_KEY: first restart every process with ENCRYPTION_KEY=<new>,<in use> (generate a key with
openssl rand -base64 32), then run this, then restart every process with only the new key. Without it, the key in
DATA_DIR is replaced without a restart; copy encryption.key first if you keep backups of the database, which need the
old key.`

const program = new Command('fanfare')
  .description('Publish and schedule social content, and reply to comments, over one HTTP API.')
  .addHelpText(
    'after',
    '\nSettings are environment variables, listed in docs/settings.md. Exit codes: 0 success, 1 failure, 2 usage error.',
  )
  .version(packageVersion())
  .showHelpAfterError('(add --help for usage)')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

program
  .command('serve')
  .description('run the service, or some of its roles, until it is stopped (default)')
  .option('--roles <roles>', `roles to run, separated by commas: ${ROLES.join(', ')}`, parseRoles)
  .option('--restored', 'the log comes from a backup: send nothing until fanfare restore release')
  .action(async (options: { roles?: readonly Role[]; restored?: true }) =>
    (await import('./serve-command.ts')).serve(options),
  )

program
  .command('mcp')
  .description(
    'offer the tools of a running service over standard input and output, to agent hosts that start programs',
  )
  .addOption(new Option('--key <key>', 'API key').env('FANFARE_KEY').argParser(parseKey).makeOptionMandatory())
  .option('--url <url>', 'address of the service', parseUrl, new URL('http://127.0.0.1:3000'))
  .addOption(new Option('--profile <profile>', 'which tools').choices(['tasks', 'full']).default('tasks'))
  .action(async (service: Service) => (await import('./mcp.ts')).bridge(service))

const workspaces = program.command('workspaces').description('manage workspaces, which own accounts, posts and keys')
workspaces
  .command('create')
  .argument('<name>')
  .description('create a workspace')
  .addOption(json())
  .action((name: string, options: Output) => run(options, (core) => addWorkspace(core, name)))
workspaces
  .command('list')
  .description('list all workspaces')
  .addOption(json())
  .action((options: Output) => run(options, workspacesOf))
workspaces
  .command('rename')
  .argument('<workspace>', 'name or id')
  .argument('<name>', 'up to 100 characters')
  .description('rename a workspace; its id stays')
  .addOption(json())
  .action((workspace: string, name: string, options: Output) => run(options, (core) => rename(core, workspace, name)))

workspaces
  .command('undo')
  .description('show how long posts can be taken back before they are published, or set it')
  .addOption(inWorkspace())
  .option('--seconds <seconds>', '0 to 600; 0: they are published at once')
  .addOption(json())
  .action(({ workspace, seconds, ...options }: Output & { workspace: string; seconds?: string }) =>
    run(options, (core) => undoOf(core, workspace, seconds)),
  )

workspaces
  .command('voice')
  .description('show how texts of the workspace are to be written, or set it; AI drafts and agents follow it')
  .addOption(inWorkspace())
  .option('--text <text>', "up to 2,000 characters; '' removes it")
  .addOption(json())
  .action(({ workspace, text, ...options }: Output & { workspace: string; text?: string }) =>
    run(options, (core) => brandVoice(core, workspace, text)),
  )

const UNDO = 'how long what it publishes can be taken back first, 0 to 600; default: as in the workspace'
const BUDGET = `what it may use up on a day, of ${BUDGETS.join(', ')}, such as posts=20; again for each further one`
const keys = program.command('keys').description('manage API keys and the master key')
keys
  .command('create')
  .description('create an API key; the key is shown only once')
  .addOption(inWorkspace())
  .requiredOption('--scopes <scopes>', `all, a role (${USER_ROLES.join(', ')}), or one or more of ${SCOPES.join(',')}`)
  .option('--label <label>', 'what the key is for')
  .option('--undo <seconds>', UNDO)
  .option('--budget <budget=amount>', BUDGET, each)
  .addOption(json())
  .action((options: Output & KeyOptions & { workspace: string; scopes: string; label?: string }) =>
    run(options, (core) => addKey(core, options)),
  )
keys
  .command('list')
  .description('list the keys of a workspace, without their secrets')
  .addOption(inWorkspace())
  .addOption(json())
  .action((options: Output & { workspace: string }) => run(options, (core) => keysOf(core, options.workspace)))
keys
  .command('limit')
  .argument('<keyId>')
  .description('change what a key is held to: it applies within seconds')
  .option('--undo <seconds>', `${UNDO}, or workspace`)
  .option('--budget <budget=amount>', `${BUDGET}, or none: in place of all budgets`, each)
  .addOption(json())
  .action((id: string, options: Output & KeyOptions) => run(options, (core) => limitKey(core, id, options)))
keys
  .command('revoke')
  .argument('<keyId>')
  .description('revoke a key: it stops working everywhere within seconds')
  .addOption(json())
  .action((id: string, options: Output) => run(options, (core) => revokeKey(core, id)))

keys
  .command('rotate-master')
  .description('encrypt all credentials under a new master key while the service runs; if interrupted, run it again')
  .addOption(json())
  .addHelpText('after', ROTATE_HELP)
  .action((options: Output) =>
    withCore(async (core) => {
      const progress = (done: number) => void (done % TELL_EVERY === 0 && tell(`… ${done} workspaces`))
      print(await rotateMaster({ ...core, db: core.wholeTables }, progress), options.json ?? false)
    }, []),
  )

userCommands(program)

platformCommands(program)

accountCommands(program)

const competitors = program
  .command('competitors')
  .description('manage the competitors that a workspace compares its accounts with')
competitors
  .command('add')
  .argument('<platform>', comparablePlatforms((key) => platforms[key]).join(', '))
  .argument('<handle>', 'its handle, with or without @, or the URL of its page')
  .description('find an account and check it once a day from now on')
  .addOption(inWorkspace())
  .addOption(json())
  .action((platform: string, handle: string, options: Output & { workspace: string }) =>
    run(options, (core) => addCompetitorTo(core, { ...options, platform, handle })),
  )
competitors
  .command('list')
  .description('list the competitors of a workspace with their latest metrics')
  .addOption(inWorkspace())
  .addOption(json())
  .action((options: Output & { workspace: string }) => run(options, (core) => competitorsOf(core, options.workspace)))
competitors
  .command('remove')
  .argument('<competitorId>')
  .description('stop tracking a competitor')
  .addOption(json())
  .action((id: string, options: Output) => run(options, (core) => removeCompetitorOf(core, id)))

const credits = program.command('credits').description('manage AI credits, which pay for videos')
credits
  .command('grant')
  .description('grant credits to a workspace')
  .addOption(inWorkspace())
  .requiredOption('--amount <credits>', 'number of credits, a whole number')
  .option('--reason <text>', 'why they are granted; shown in the ledger')
  .addOption(json())
  .action((options: Output & { workspace: string; amount: string; reason?: string }) =>
    run(options, (core) => grant(core, options)),
  )
credits
  .command('show')
  .description('show the balance of a workspace')
  .addOption(inWorkspace())
  .addOption(json())
  .action((options: Output & { workspace: string }) => run(options, (core) => creditsOf(core, options.workspace)))

postCommands(program)

rehearseCommand(program)
approvalCommands(program)

mediaCommands(program)

channelCommands(program)

activityCommand(program)
auditCommands(program)
backupCommands(program)
eraseCommand(program)
moveCommands(program)
projectionCommands(program)
restoreCommands(program)

program
  .command('doctor')
  .description('check everything that the service needs, and show how to fix what is wrong')
  .addOption(json())
  .addHelpText('after', '\nExit codes: 0 no problem (there may be warnings), 1 a problem.')
  .action(async (options: Output) => {
    const diagnosis = await diagnose(process.env, (message) => tell(`… ${message}`))
    if (!diagnosis.healthy) process.exitCode = 1
    print(options.json ? diagnosis : report(diagnosis), options.json ?? false)
  })

function parseKey(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is empty.')
  return value
}

function parseUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError(`${value} is not an address such as https://fanfare.example.com.`)
  }
  return url
}

function parseRoles(value: string): readonly Role[] {
  const roles = value.split(',').map((name) => name.trim())
  const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)
  const wrong = roles.find((name) => !isRole(name))
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} is not a role; the roles are ${ROLES.join(', ')}.`)
  return roles.filter(isRole)
}

try {
  // `npx fanfare` runs the service.
  await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve'])
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}
