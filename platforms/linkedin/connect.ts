import { z } from 'zod'
import { tokenFields } from '../kit/oauth-token.ts'
import {
  PlatformError,
  type Credentials,
  type CredentialStore,
  type Platform,
  type PlatformIo,
} from '../kit/platform.ts'
import { authorSchema, isOrganization, pageLabel } from './author.ts'
import { LinkedInError } from './errors.ts'
import { postsOf } from './listing.ts'
import { memberOf } from './member.ts'
import { namesOf } from './organizations.ts'

export const credentials = z.object({
  ...tokenFields,
  clientId: z.string().min(1).optional().describe("the LinkedIn app's client id; required with refreshToken"),
  clientSecret: z.string().min(1).optional().describe("the LinkedIn app's client secret; required with refreshToken"),
  authorUrn: authorSchema
    .optional()
    .describe('the author: urn:li:organization:<number> for a page; absent: the member who owns the token'),
})

type Io = Parameters<Platform['connect']>[2]

/** @throws PlatformError */
export async function connect(
  given: Credentials,
  baseUrl: string | undefined,
  io: Io,
): ReturnType<Platform['connect']> {
  const parsed = credentials.safeParse(given)
  if (!parsed.success) throw wrong(z.prettifyError(parsed.error))
  const { refreshToken, clientId, clientSecret, authorUrn } = parsed.data
  if (refreshToken !== undefined && (clientId === undefined || clientSecret === undefined)) {
    throw wrong('clientId and clientSecret are required with refreshToken: LinkedIn renews a token only for its app.')
  }
  const store = keptHere(given)
  const account = isOrganization(authorUrn)
    ? await page(authorUrn, baseUrl, { ...io, credentials: store })
    : await member(authorUrn, baseUrl, { ...io, credentials: store })
  return { ...account, credentials: { ...(await store.read()), authorUrn: account.externalId } }
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
    const refusal = error instanceof LinkedInError && [400, 403, 404].includes(error.status)
    throw refusal ? wrong(`authorUrn: the token cannot read the posts of ${authorUrn}. ${error.message}`) : error
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
    const unscoped = error instanceof LinkedInError && error.status === 403
    throw unscoped
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

/** An in-memory store for credentials that are not in the vault yet but may be renewed while connecting. */
function keptHere(given: Credentials): CredentialStore {
  let current = given
  return {
    read: async () => current,
    renew: async (stale, renew) => (current = await renew(stale)),
  }
}
