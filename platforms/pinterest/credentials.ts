import * as z from 'zod'
import { checkedCredentials, optionalText } from '../kit/credentials.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import type { Credentials, PublishJob } from '../kit/platform.ts'
import { digits, pinDefaults, pinOptions } from './options.ts'

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

/** Where a Pin goes, and what it has of its own. */
export const destinationSchema = z.object({ ...pinOptions.shape, boardId: digits })
export type Destination = z.infer<typeof destinationSchema>

const board = z.object(pinDefaults.shape)

/**
 * Of the post, else of the account. A section belongs to its board.
 *
 * @throws PlatformError naming each wrong field
 */
export function destinationOf(job: PublishJob, credentials: Credentials): Destination {
  const { defaults } = job
  const given = checkedOptions(pinOptions, job)
  const { link } = checkedCredentials(credentialsSchema.pick({ link: true }), credentials, 'pinterest')
  const usual = defaults === undefined ? checkedCredentials(board, credentials, 'pinterest') : board.parse(defaults)
  const { boardId, boardSectionId } = given.boardId === undefined ? usual : given
  return { ...given, link: given.link ?? link, boardId: boardId ?? usual.boardId, boardSectionId }
}

/** Where Pins went before boards belonged to posts: what was given when the account was connected. */
export function defaultsOf(credentials: Credentials) {
  return board.parse(credentials)
}

/** @throws PlatformError naming each wrong field */
export function givenCredentials(given: Credentials): z.infer<typeof credentialsSchema> {
  return checkedCredentials(credentialsSchema, given, 'pinterest')
}
