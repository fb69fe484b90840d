import { z } from 'zod'
import { PlatformError, type Credentials, type CredentialStore, type Platform } from '../kit/platform.ts'
import { tiktokApi } from './api.ts'
import { creatorOf, mustOffer } from './creator.ts'
import { settingsOf } from './credentials.ts'
import { plainId } from '../kit/plain-id.ts'

const userInfo = z.object({ user: z.object({ open_id: plainId, display_name: z.string().catch('') }) })

/** Looks up the token's account and checks that it may use the privacy level. Renews an expired token on the way. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const settings = settingsOf(given)
  if (given['refreshToken'] && !(given['clientId'] && given['clientSecret'])) {
    throw new PlatformError('permanent', 'clientId and clientSecret are required with refreshToken.')
  }
  let credentials: Credentials = given
  const store: CredentialStore = {
    read: async () => credentials,
    renew: async (stale, renew) => (credentials = await renew(stale)),
  }
  const api = tiktokApi(baseUrl === undefined ? {} : { baseUrl }, { ...io, credentials: store })
  const { user } = await api({ method: 'GET', path: '/user/info/?fields=open_id,display_name' }, userInfo)
  const creator = await creatorOf(api)
  mustOffer(creator, settings)
  return { externalId: user.open_id, label: creator.creator_username || user.display_name || user.open_id, credentials }
}
