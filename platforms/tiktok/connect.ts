import * as z from 'zod'
import { mustNameApp, unsavedCredentials } from '../kit/credentials.ts'
import type { Platform } from '../kit/platform.ts'
import { tiktokApi } from './api.ts'
import { creatorOf, mustOffer } from './creator.ts'
import { settingsOf } from './credentials.ts'
import { plainId } from '../kit/plain-id.ts'

const userInfo = z.object({ user: z.object({ open_id: plainId, display_name: z.string().catch('') }) })

/** Looks up the token's account and checks that it may use the privacy level. Renews an expired token on the way. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const settings = settingsOf(given)
  mustNameApp(given)
  const credentials = unsavedCredentials(given)
  const api = tiktokApi(baseUrl === undefined ? {} : { baseUrl }, { ...io, credentials })
  const { user } = await api({ method: 'GET', path: '/user/info/?fields=open_id,display_name' }, userInfo)
  const creator = await creatorOf(api)
  mustOffer(creator, settings)
  const label = creator.creator_username || user.display_name || user.open_id
  return { externalId: user.open_id, label, credentials: await credentials.read() }
}
