import { z } from 'zod'
import { tokenFields } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials } from '../kit/platform.ts'

const digits = z.string().regex(/^\d+$/, 'must be the numeric id from Pinterest')

export const credentialsSchema = z.object({
  ...tokenFields,
  refreshExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('when the refresh token expires, ISO 8601 UTC; updated automatically'),
  clientId: z.string().min(1).optional().describe('id of the Pinterest app; required to renew the access token'),
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe('secret of the Pinterest app; required to renew the access token'),
  boardId: digits.describe('id of the board to publish Pins to, digits only'),
  boardSectionId: digits.optional().describe('id of a section of that board, digits only'),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .describe('URL that each Pin links to, at most 2048 characters'),
})

/** Where an account's Pins go, and what they link to. */
export const destinationSchema = credentialsSchema.pick({ boardId: true, boardSectionId: true, link: true })
export type Destination = z.infer<typeof destinationSchema>

/** @throws PlatformError naming each wrong field */
export function destinationOf(stored: Credentials): Destination {
  return decoded(destinationSchema, stored)
}

/** @throws PlatformError naming each wrong field */
export function givenCredentials(given: Credentials): z.infer<typeof credentialsSchema> {
  return decoded(credentialsSchema, given)
}

function decoded<T>(schema: z.ZodType<T>, credentials: Credentials): T {
  const result = schema.safeParse(credentials)
  if (result.success) return result.data
  const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new PlatformError('permanent', `Pinterest credentials: ${wrong.join('; ')}`)
}
