import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { Refusal } from '../../domain/core/errors.ts'
import { columns, type Output } from './output.ts'
import type { CheckResult } from './platform-check/check.ts'
import { json, run, tell } from './run.ts'

interface Options extends Output {
  readonly media?: string
  readonly type?: string
  readonly dry?: true
  readonly yes?: true
  readonly out?: string
}

const HELP = `
The test post says what it is, and is deleted at the end; where the API cannot delete it, its address is printed. The
report has names and types of fields and the platform's error messages, but no values, and can be pasted into an issue.`

/** `fanfare platforms` (docs/platforms/checks.md). */
export function platformCommands(program: Command): void {
  const platforms = program.command('platforms').description('check how the platforms really behave')
  platforms
    .command('check')
    .argument('<accountId>')
    .description(
      'publish a test post with a connected account, read it back, comment, delete it, and report what differs from the sandbox',
    )
    .option('--media <url>', 'public URL of the media to publish')
    .option('--type <type>', 'image, video or document; default: image, where the platform has images')
    .option('--dry', 'stop before anything is published')
    .option('--yes', 'publish without asking')
    .option('--out <file>', 'the report; default: fanfare-check-<platform>.md')
    .addOption(json())
    .addHelpText('after', HELP)
    .action((id: string, options: Options) =>
      run(options, async (core) => {
        const { media, type, dry, out } = options
        const confirm = options.yes ? async () => true : ask
        // Loaded here, because the sandbox would make every command start slower.
        const { checkPlatform } = await import('./platform-check/check.ts')
        const result = await checkPlatform(core, id, { media, type, dry, out, confirm, tell })
        if (result.steps.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
        return options.json ? result : asText(result)
      }),
    )
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Refusal('invalid_request', `${question} Give --yes, or --dry to publish nothing.`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

function asText({ steps, differences, report }: CheckResult): string {
  const table = columns(steps.map(({ name, outcome, details }) => [name, outcome, details]))
  return `${table}\n\n${differences.length} differences from the sandbox; see ${report}`
}
