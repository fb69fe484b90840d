import * as z from 'zod'
import { mustNameApp, unsavedCredentials } from '../kit/credentials.ts'
import { withToken } from '../kit/oauth-token.ts'
import { PlatformError, type Platform } from '../kit/platform.ts'
import { list } from './call.ts'
import { givenCredentials } from './credentials.ts'
import { hostsOf } from './hosts.ts'
import { renewalAt } from './oauth.ts'
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

/** Looks up the channel that the token belongs to. Stores its uploads playlist, where lost uploads are searched for. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const parsed = givenCredentials.safeParse(given)
  if (!parsed.success) throw new PlatformError('permanent', z.prettifyError(parsed.error))
  mustNameApp(given)
  const credentials = unsavedCredentials(given)
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
    credentials: { ...(await credentials.read()), ...(uploads !== undefined && { uploadsPlaylistId: uploads }) },
  }
}
