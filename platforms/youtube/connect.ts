import { z } from 'zod'
import { withToken } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials, type CredentialStore, type PlatformIo } from '../kit/platform.ts'
import { list } from './call.ts'
import { givenCredentials } from './credentials.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './token.ts'
import { plainId } from '../kit/plain-id.ts'

const channelsAnswer = z.object({
  items: z
    .array(
      z.object({
        id: plainId,
        snippet: z.object({ title: z.string().catch('') }),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: plainId.optional() }) }),
      }),
    )
    .optional(),
})

/**
 * Looks up the channel that the token belongs to. Stores its uploads playlist, where lost uploads are searched for.
 *
 * @throws PlatformError
 */
export async function connect(
  given: Credentials,
  baseUrl: string | undefined,
  io: Omit<PlatformIo, 'credentials'>,
): Promise<{ externalId: string; label: string; credentials: Credentials }> {
  const parsed = givenCredentials.safeParse(given)
  if (!parsed.success) throw new PlatformError('permanent', z.prettifyError(parsed.error))
  const { refreshToken, clientId, clientSecret } = parsed.data
  if (refreshToken !== undefined && (clientId === undefined || clientSecret === undefined)) {
    throw new PlatformError('permanent', 'clientId and clientSecret are required with refreshToken.')
  }
  let current = given
  const credentials: CredentialStore = {
    read: async () => current,
    renew: async (stale, renew) => (current = await renew(stale)),
  }
  const query = { part: 'id,snippet,contentDetails', mine: 'true' }
  const { items } = await withToken({ ...io, credentials }, renewalAt(baseUrl), (token) =>
    list(`${hostsOf(baseUrl).api}/channels`, query, token, channelsAnswer, io),
  )
  const channel = items?.[0]
  if (!channel) throw new PlatformError('permanent', 'The Google account has no YouTube channel. Create one first.')
  const { uploads } = channel.contentDetails.relatedPlaylists
  return {
    externalId: channel.id,
    label: channel.snippet.title || channel.id,
    credentials: { ...current, ...(uploads !== undefined && { uploadsPlaylistId: uploads }) },
  }
}
