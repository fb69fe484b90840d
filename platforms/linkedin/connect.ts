import * as z from 'zod'
import { checkedCredentials, mustNameApp, optionalText, unsavedCredentials } from '../kit/credentials.ts'
import { hasStatus } from '../kit/errors.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import { PlatformError, type Platform, type PlatformIo } from '../kit/platform.ts'
import { authorSchema, isOrganization, pageLabel } from './author.ts'
import { postsOf } from './listing.ts'
import { memberOf } from './member.ts'
import { namesOf } from './organizations.ts'

export const credentials = z.object({
  ...tokenFields,
  clientId: optionalText.describe("the LinkedIn app's client id; required with refreshToken"),
  clientSecret: optionalText.describe("the LinkedIn app's client secret; required with refreshToken"),
  authorUrn: authorSchema
    .optional()
    .describe('the author: urn:li:organization:<number> for a page; absent: the member who owns the token'),
})

/** Determines the author, a page or the token's owner, and checks that the token can find lost posts. */
export const connect: Platform['connect'] = async (given, baseUrl, bare) => {
  const { authorUrn } = checkedCredentials(credentials, given, 'linkedin')
  mustNameApp(given)
  const io = { ...bare, credentials: unsavedCredentials(given) }
  const account = isOrganization(authorUrn) ? await page(authorUrn, baseUrl, io) : await member(authorUrn, baseUrl, io)
  return { ...account, credentials: { ...(await io.credentials.read()), authorUrn: account.externalId } }
}

/** Makes the call that later searches for lost posts, so that a token that cannot read the page fails now. */
async function page(
  authorUrn: string,
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<{ externalId: string; label: string }> {
  try {
    await postsOf(authorUrn, { start: 0, count: 1 }, baseUrl, io)
  } catch (error) {
    throw hasStatus(error, 400, 403, 404)
      ? wrong(`authorUrn: the token cannot read the posts of ${authorUrn}. ${error.message}`)
      : error
  }
  const name = (await namesOf([authorUrn], baseUrl, io)).get(authorUrn)
  return { externalId: authorUrn, label: name ?? pageLabel(authorUrn) }
}

async function member(
  authorUrn: string | undefined,
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<{ externalId: string; label: string }> {
  const { urn, name } = await memberOf(baseUrl, io).catch((error: unknown) => {
    throw hasStatus(error, 403)
      ? wrong('accessToken: the scopes openid and profile, or r_basicprofile, are required to identify its owner.')
      : error
  })
  if (authorUrn !== undefined && authorUrn !== urn) {
    throw wrong(`authorUrn: the token belongs to ${urn}, not to ${authorUrn}.`)
  }
  return { externalId: urn, label: name ?? urn }
}

function wrong(message: string): PlatformError {
  return new PlatformError('permanent', message)
}
