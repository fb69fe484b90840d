import type { MediaType } from '../../../domain/core/platform.ts'
import type { Step } from './conversation.ts'
import type { Difference } from './differences.ts'

export interface CheckReport {
  readonly platform: string
  /** ISO 8601 UTC. */
  readonly at: string
  readonly fanfare: string
  readonly node: string
  readonly mediaType: MediaType
  readonly steps: readonly Step[]
  readonly differences: readonly Difference[]
}

/** Markdown, to be pasted into an issue. Has names and types of fields, and messages of errors, but no values. */
export function asMarkdown({ platform, at, fanfare, node, mediaType, steps, differences }: CheckReport): string {
  const calls = steps.flatMap((step) => step.calls)
  return `# Check of ${platform}

Fanfare ${fanfare}, Node.js ${node}, ${at}, with ${mediaType === 'image' ? 'an' : 'a'} ${mediaType}. ${calls.length} calls.
Names and types of fields, and messages of the platform; no values.

| Step | Outcome | Details |
|---|---|---|
${steps.map(({ name, outcome, details }) => `| ${name} | ${outcome} | ${cell(details)} |`).join('\n')}

## Differences from the sandbox

${differences.length === 0 ? 'None.' : differences.map(asLine).join('\n')}

## Calls

${calls.map(({ call, status, query }) => `- \`${call}\` ${status}${query.length > 0 ? ` (${query.join(', ')})` : ''}`).join('\n')}
`
}

function asLine({ step, call, what }: Difference): string {
  return `- ${step}: ${call === '' ? '' : `\`${call}\` `}${what}`
}

/** Addresses and long numbers in a message of the platform may name an account or a post. */
function cell(text: string): string {
  return text
    .replaceAll(/https?:\/\/\S+/g, '<address>')
    .replaceAll(/\d{5,}/g, '<number>')
    .replaceAll('|', '\\|')
}
