import type * as z from 'zod'
import { Refusal, type Detail } from '../../domain/core/errors.ts'

/** A body may have thousands of problems. */
const MOST_DETAILS = 50

/**
 * The value parsed by the schema.
 *
 * @throws Refusal invalid_request naming the first invalid field by its path, like `selections.instagram[0]`, with all of them as
 *   `details`
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, whole: string): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.slice(0, MOST_DETAILS).map((issue) => detail(issue, whole))
  throw new Refusal('invalid_request', details[0]?.message ?? `${whole} is not valid`, { details })
}

function detail(issue: z.core.$ZodIssue, whole: string): Detail {
  const path = pathOf(issue.path)
  return { path, message: explain(issue, path || whole) }
}

function explain(issue: z.core.$ZodIssue, field: string): string {
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
