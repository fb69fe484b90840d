import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import * as z from 'zod'
import { AUTOMATION_MODES } from '../../domain/account/account.ts'
import { CAPABILITIES } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { isPlatformKey, PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { platforms } from '../../platforms/registry.ts'
import { accountsOf, automate, connect, destinations, disconnect, postDefaults, readInBackground } from './accounts.ts'
import { connectInBrowser } from './authorization.ts'
import type { Output } from './output.ts'
import { inWorkspace, json, run, tell } from './run.ts'

/** `fanfare accounts`. */
export function accountCommands(program: Command): void {
  const accounts = program.command('accounts').description('manage accounts on the platforms')
  accounts
    .command('connect')
    .argument('<platform>', PLATFORM_KEYS.join(', '))
    .description('check credentials with one harmless call and connect the account')
    .addOption(inWorkspace())
    .option('--credentials <json>', 'the fields below as JSON, @file to read them from a file, - for standard input')
    .option('--browser', "let the account's owner approve access in a browser; the service must be running")
    .option(
      '--allow <capabilities>',
      `with --browser: what to ask the owner for, of ${CAPABILITIES.join(',')}; publishing always is; default: all`,
    )
    .option('--login <login>', `with --browser: which login to use, where a platform has several: ${loginHelp()}`)
    .option('--label <label>', 'display name of the account; default: its name on the platform')
    .option(
      '--base-url <url>',
      'a host other than the platform’s own: a test server, a proxy, a self-hosted Bluesky server, the account’s Mastodon server',
    )
    .addOption(json())
    .addHelpText('after', ({ command }) => credentialHelp(command.args[0]))
    .action(
      (
        platform: string,
        options: Output & {
          workspace: string
          credentials?: string
          browser?: true
          allow?: string
          login?: string
          label?: string
          baseUrl?: string
        },
        command: Command,
      ) => {
        if (!options.browser && options.credentials === undefined)
          command.error('error: give --credentials or --browser')
        if (!options.browser && options.allow !== undefined) command.error('error: --allow requires --browser')
        if (!options.browser && options.login !== undefined) command.error('error: --login requires --browser')
        return run(options, async (core) => {
          const given = options.credentials === undefined ? {} : await readCredentials(options.credentials)
          const account = { ...options, platform, credentials: given }
          return options.browser ? connectInBrowser(core, account, tell) : connect(core, account)
        })
      },
    )
  accounts
    .command('list')
    .description('list the connected accounts of a workspace')
    .addOption(inWorkspace())
    .addOption(json())
    .action((options: Output & { workspace: string }) => run(options, (core) => accountsOf(core, options.workspace)))
  accounts
    .command('automate')
    .argument('<accountId>')
    .description('set what happens to new comments: nothing, a draft in the review inbox, or an automatic reply')
    .option('--mode <mode>', AUTOMATION_MODES.join(', '))
    .option('--instruction <text>', 'instructions for the AI, for example: We are a bakery in Oslo. Be short and kind.')
    .addOption(json())
    .action((id: string, options: Output & { mode?: string; instruction?: string }) =>
      run(options, (core) => automate(core, id, options)),
    )
  accounts
    .command('background-reading')
    .argument('<accountId>')
    .argument('<on|off>')
    .description('read comments and metrics on a schedule; where that costs money, it is off until it is switched on')
    .addOption(json())
    .action((id: string, value: string, options: Output) => run(options, (core) => readInBackground(core, id, value)))
  accounts
    .command('destinations')
    .argument('<accountId>')
    .description('list where posts of the account can go: the boards of a Pinterest account')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => destinations(core, id)))
  accounts
    .command('post-defaults')
    .argument('<accountId>')
    .argument('[name=value...]', 'for example boardId=549755885175; what is not given is removed')
    .description('show or set what posts of the account have that do not set it in platformOptions or accountOptions')
    .addOption(json())
    .action((id: string, fields: string[], options: Output) => run(options, (core) => postDefaults(core, id, fields)))
  accounts
    .command('disconnect')
    .argument('<accountId>')
    .description('disconnect an account and delete its credentials')
    .addOption(json())
    .action((id: string, options: Output) => run(options, (core) => disconnect(core, id)))
}

async function readCredentials(given: string): Promise<Record<string, string>> {
  const source = given === '-' ? text(process.stdin) : given.startsWith('@') ? readFile(given.slice(1), 'utf8') : given
  const parsed = z.record(z.string(), z.string()).safeParse(parseJson(await source))
  if (!parsed.success) throw new Refusal('invalid_request', '--credentials must be a JSON object of strings')
  return parsed.data
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Of each platform that has several: `linkedin: page or member`. */
function loginHelp(): string {
  const several = PLATFORM_KEYS.map((key) => [key, platforms[key].logins.flatMap((login) => login.key ?? [])] as const)
  const listed = several.filter(([, keys]) => keys.length > 1).map(([key, keys]) => `${key}: ${keys.join(' or ')}`)
  return `${listed.join('; ')}; default: the first that has an app`
}

/** The credential fields of the named platform, or of all platforms. */
function credentialHelp(platform: string | undefined): string {
  const keys = PLATFORM_KEYS.filter((key) => platform === undefined || !isPlatformKey(platform) || key === platform)
  const lines = keys.map((key) => {
    const fields = Object.entries(platforms[key].credentials.shape).map(([name, field]) => {
      const { description = '' } = z.globalRegistry.get(field as z.ZodType) ?? {}
      return `    ${name}${field instanceof z.ZodOptional ? ' (optional)' : ''}: ${description}`
    })
    return [`  ${key}`, ...fields].join('\n')
  })
  return `\nCredentials by platform (docs/platforms explains how to get them):\n${lines.join('\n')}`
}
