import * as z from 'zod'
import { optionalText, storedCredentials } from '../kit/credentials.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import type { Credentials } from '../kit/platform.ts'
import { categoryNumber, PRIVACY, type VideoOptions } from './options.ts'

const flag = z.enum(['true', 'false']).optional()

export const givenCredentials = z.object({
  ...tokenFields,
  clientId: optionalText.describe('OAuth client id of your Google Cloud project, to renew the access'),
  clientSecret: optionalText.describe('OAuth client secret of the same project'),
  privacyStatus: z.enum(PRIVACY).optional().describe('who can see the videos: public (default), unlisted or private'),
  categoryId: categoryNumber.optional().describe('category number of the videos; default 22, People & Blogs'),
  madeForKids: flag.describe('whether the videos are made for kids: true or false (default)'),
  notifySubscribers: flag.describe('whether subscribers are notified of a new video: true (default) or false'),
  containsSyntheticMedia: flag.describe(
    'whether the videos show realistic altered or synthetic content; default: not declared',
  ),
})

const keptCredentials = givenCredentials.extend({ uploadsPlaylistId: optionalText })
export type KeptCredentials = z.infer<typeof keptCredentials>

/** The settings of one video. */
export interface Settings {
  readonly privacyStatus: (typeof PRIVACY)[number]
  readonly categoryId: string
  readonly madeForKids: boolean
  readonly notifySubscribers: boolean
  readonly containsSyntheticMedia?: boolean
}

/** @throws PlatformError `needs-reauth` if they are not what `connect` stored */
export function kept(credentials: Credentials): KeptCredentials {
  return storedCredentials(keptCredentials, credentials, 'youtube')
}

/** What the post sets, otherwise what its account has for every video. */
export function settingsOf(credentials: Credentials, ofPost: VideoOptions): Settings {
  const usual = kept(credentials)
  const isSynthetic = ofPost.containsSyntheticMedia ?? declared(usual.containsSyntheticMedia)
  return {
    privacyStatus: ofPost.privacy ?? usual.privacyStatus ?? 'public',
    categoryId: ofPost.categoryId ?? usual.categoryId ?? '22',
    madeForKids: ofPost.madeForKids ?? usual.madeForKids === 'true',
    notifySubscribers: ofPost.notifySubscribers ?? usual.notifySubscribers !== 'false',
    ...(isSynthetic !== undefined && { containsSyntheticMedia: isSynthetic }),
  }
}

function declared(given: z.infer<typeof flag>): boolean | undefined {
  return given === undefined ? undefined : given === 'true'
}
