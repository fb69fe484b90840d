import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Argument, Option, type Command } from 'commander'
import { Refusal } from '../../domain/core/errors.ts'
import { USER_ROLES, type UserRole } from '../../domain/workspace/role.ts'
import { invitationsOf, inviteTo, revokeInvitationOf } from './invitations.ts'
import type { Output } from './output.ts'
import { inWorkspace, json, run } from './run.ts'
import { sessionsOf, signOutUser } from './user-sessions.ts'
import { addUser, changeRoleOf, disableTotpOf, makeResetLink, removeUserOf, resetPassword, usersOf } from './users.ts'

type InOne = Output & { readonly workspace?: string }

export function userCommands(program: Command): void {
  const users = program.command('users').description('manage the users of the dashboard')
  const passwordFile = () =>
    new Option(
      '--password-file <file>',
      'file with the password, - for standard input; default: one is generated and shown',
    )
  const ofSeveral = () => new Option('--workspace <workspace>', 'id or name, of a user who is in several')
  const role = (description: string) => new Option('--role <role>', description).choices(USER_ROLES)
  users
    .command('create')
    .argument('<name>', 'letters, digits and . _ @ + -; an email address works')
    .description(
      'create a user who can sign in to the dashboard of a workspace, or add an existing one to another workspace',
    )
    .addOption(inWorkspace())
    .addOption(role('what the user may do').default('owner'))
    .addOption(passwordFile())
    .addOption(json())
    .action((name: string, options: Output & { workspace: string; role: UserRole; passwordFile?: string }) =>
      run(options, async (core) => {
        const password = await readPassword(options.passwordFile)
        return addUser(core, { workspace: options.workspace, name, password, role: options.role })
      }),
    )
  users
    .command('list')
    .description('list the users of a workspace')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => usersOf(core, options.workspace)))
  users
    .command('reset-password')
    .argument('<name>')
    .description('set a new password for a user and end all of their sessions')
    .addOption(passwordFile())
    .addOption(json())
    .action((name: string, options: Output & { passwordFile?: string }) =>
      run(options, async (core) => resetPassword(core, name, await readPassword(options.passwordFile))),
    )
  users
    .command('reset-link')
    .argument('<name>')
    .description('create a link with which a user chooses a new password, once, within 24 hours')
    .addOption(json())
    .action((name: string, options: Output) => run(options, (core) => makeResetLink(core, name)))
  users
    .command('disable-totp')
    .argument('<name>')
    .description('turn off two-step sign-in for a user who has lost their app and recovery codes')
    .addOption(json())
    .action((name: string, options: Output) => run(options, (core) => disableTotpOf(core, name)))
  users
    .command('sessions')
    .argument('<name>')
    .description('list where a user is signed in')
    .addOption(json())
    .action((name: string, options: Output) => run(options, (core) => sessionsOf(core, name)))
  users
    .command('sign-out')
    .argument('<name>')
    .description('end all sessions of a user')
    .addOption(json())
    .action((name: string, options: Output) => run(options, (core) => signOutUser(core, name)))
  users
    .command('remove')
    .argument('<name>')
    .description('remove a user from their workspace, or from one of several')
    .addOption(ofSeveral())
    .addOption(json())
    .action((name: string, options: InOne) => run(options, (core) => removeUserOf(core, name, options.workspace)))
  users
    .command('set-role')
    .argument('<name>')
    .addArgument(new Argument('<role>').choices(USER_ROLES))
    .description('change what a user may do')
    .addOption(ofSeveral())
    .addOption(json())
    .action((name: string, to: UserRole, options: InOne) =>
      run(options, (core) => changeRoleOf(core, name, to, options.workspace)),
    )
  users
    .command('invite')
    .description('create a link with which one person joins a workspace')
    .addOption(inWorkspace())
    .addOption(role('what the person may do').makeOptionMandatory())
    .option('--label <label>', 'whom it is for; shown in lists only', '')
    .option('--days <number>', 'how long the link works, 1 to 30 days', '7')
    .addOption(json())
    .action((options: Output & { workspace: string; role: UserRole; label: string; days: string }) =>
      run(options, (core) => inviteTo(core, options)),
    )
  users
    .command('invitations')
    .description('list the invitations that can still be used')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => invitationsOf(core, options.workspace)))
  users
    .command('revoke-invitation')
    .argument('<id>')
    .description('make the link of an invitation useless')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => revokeInvitationOf(core, id)))
}

/** Without the trailing newline that editors and `echo` add. */
async function readPassword(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const reading = file === '-' ? text(process.stdin) : readFile(file, 'utf8')
  const given = await reading.catch((error: Error) => {
    throw new Refusal('invalid_request', `--password-file could not be read: ${error.message}`)
  })
  return given.replace(/\r?\n$/, '')
}
