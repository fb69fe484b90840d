import * as z from 'zod'
import { checkedCredentials, optionalText } from '../kit/credentials.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import type { Credentials } from '../kit/platform.ts'

const digits = z.string().regex(/^\d+$/, 'must be the numeric id from Pinterest')

export const credentialsSchema = z.object({
  ...tokenFields,
  refreshExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('when the refresh token expires, ISO 8601 UTC; updated automatically'),
  clientId: optionalText.describe('id of the Pinterest app; required to renew the access token'),
  clientSecret: optionalText.describe('secret of the Pinterest app; required to renew the access token'),
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
  return checkedCredentials(destinationSchema, stored, 'pinterest')
}

/** @throws PlatformError naming each wrong field */
export function givenCredentials(given: Credentials): z.infer<typeof credentialsSchema> {
  return checkedCredentials(credentialsSchema, given, 'pinterest')
}
