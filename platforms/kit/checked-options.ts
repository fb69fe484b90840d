import * as z from 'zod'
import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import { PlatformError, type PublishJob } from './platform.ts'

/**
 * What the post sets on its platform alone.
 *
 * @throws PlatformError `permanent`, naming each wrong field
 */
export function checkedOptions<T extends object>(
  schema: z.ZodType<T>,
  { account, options }: Pick<PublishJob, 'account' | 'options'>,
): T {
  const parsed = schema.safeParse(options ?? {})
  if (parsed.success) return parsed.data
  const which = `The post's options for ${PLATFORM_NAMES[account.platform]}`
  throw new PlatformError('permanent', `${which} are invalid. ${z.prettifyError(parsed.error)}`)
}
