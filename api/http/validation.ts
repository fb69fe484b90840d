import type * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'

/**
 * The value parsed by the schema.
 *
 * @throws Refusal invalid_request naming the first invalid field by its path, like `selections.instagram[0]`
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, whole: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid_request', explain(parsed.error.issues[0], whole))
}

function explain(issue: z.core.$ZodIssue | undefined, whole: string): string {
  if (!issue) return `${whole} is not valid`
  const field = pathOf(issue.path) || whole
  const inner = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue
  const message = inner.message.replace(/^Invalid input: /, '')
  if (issue.code === 'invalid_type' && / received undefined$/.test(message)) return `${field} is required`
  return /^(is|must|has|needs) /.test(message) ? `${field} ${message}` : `${field}: ${message}`
}

export function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${shortened(step)}`))
    .join('')
}

/** The caller chooses the name, so it can be of any length. */
function shortened(step: PropertyKey): string {
  const name = String(step)
  return name.length <= 100 ? name : `${/^.{0,100}/su.exec(name)?.[0] ?? ''}…`
}
