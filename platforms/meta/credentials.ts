import type { z } from 'zod'
import { PlatformError, type Credentials } from '../kit/platform.ts'

/** @throws PlatformError `permanent`, naming each invalid field */
export function checkedCredentials<T>(schema: z.ZodType<T>, given: Credentials, name: string): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new PlatformError('permanent', `The ${name} credentials are invalid. ${wrong.join('; ')}.`)
}
