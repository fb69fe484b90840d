import * as z from 'zod'
import { text } from '../../../domain/core/text.ts'
import { platformOptions } from '../../../platforms/post-options.ts'

const OF_PLATFORM: Readonly<Record<string, z.ZodType>> = platformOptions.shape

export const accountOptions = z
  .record(text(100), z.record(z.string(), z.unknown()))
  .describe('Account id to options of its platform alone. They take precedence over those of platformOptions.')

interface WithOptions {
  readonly selections: Readonly<Record<string, readonly string[]>>
  readonly accountOptions?: Readonly<Record<string, unknown>> | null | undefined
}

/** Of a request without selections, which are those of the post. */
export const optionsOfSelected = z
  .object({ selections: z.record(z.string(), z.array(z.string())), accountOptions: accountOptions.nullish() })
  .superRefine(checkAccountOptions)

/** Checks that each account is selected, and its options by the schema of its platform. For `superRefine`. */
export function checkAccountOptions(
  { selections, accountOptions }: WithOptions,
  context: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  for (const [id, options] of Object.entries(accountOptions ?? {})) {
    const problem = (message: string, path: readonly PropertyKey[] = []) =>
      context.addIssue({ code: 'custom', path: ['accountOptions', id, ...path], message })
    const platform = Object.keys(selections).find((name) => selections[name]?.includes(id))
    if (platform === undefined) {
      problem('must be the id of an account in selections')
      continue
    }
    const schema = Object.hasOwn(OF_PLATFORM, platform) ? OF_PLATFORM[platform] : undefined
    if (!schema) problem(`must be empty: ${platform} has no options`)
    for (const issue of schema?.safeParse(options).error?.issues ?? []) problem(issue.message, issue.path)
  }
}
