import * as z from 'zod'
import { mustNameApp, unsavedCredentials } from '../kit/credentials.ts'
import type { Platform } from '../kit/platform.ts'
import { tiktokApi } from './api.ts'
import { creatorOf, mustOffer } from './creator.ts'
import { isForInbox, settingsOf } from './credentials.ts'
import { permissions } from './oauth.ts'
import { mustGrant } from '../kit/permissions.ts'
import { plainId } from '../kit/plain-id.ts'

const userInfo = z.object({ user: z.object({ open_id: plainId, display_name: z.string().catch('') }) })

/**
 * Looks up the token's account and checks that it may use the privacy level. Renews an expired token on the way. Without direct posts
 * TikTok tells neither the levels nor the username.
 */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const settings = settingsOf(given)
  mustNameApp(given)
  mustGrant('TikTok', permissions(given).publishing ?? [], given['scopes']?.split(' '))
  const credentials = unsavedCredentials(given)
  const api = tiktokApi(baseUrl === undefined ? {} : { baseUrl }, { ...io, credentials })
  const { user } = await api({ method: 'GET', path: '/user/info/?fields=open_id,display_name' }, userInfo)
  const creator = isForInbox(settings) ? undefined : await creatorOf(api)
  if (creator) mustOffer(creator, settings)
  const label = creator?.creator_username || user.display_name || user.open_id
  return { externalId: user.open_id, label, credentials: await credentials.read() }
}
