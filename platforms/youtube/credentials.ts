import * as z from 'zod'
import { optionalText, storedCredentials } from '../kit/credentials.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import type { Credentials } from '../kit/platform.ts'

const PRIVACY = ['public', 'unlisted', 'private'] as const
export type Privacy = (typeof PRIVACY)[number]

const flag = z.enum(['true', 'false']).optional()

export const givenCredentials = z.object({
  ...tokenFields,
  clientId: optionalText.describe('OAuth client id of your Google Cloud project, to renew the access'),
  clientSecret: optionalText.describe('OAuth client secret of the same project'),
  privacyStatus: z.enum(PRIVACY).optional().describe('who can see the videos: public (default), unlisted or private'),
  categoryId: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number, such as 22')
    .optional()
    .describe('category number of the videos; default 22, People & Blogs'),
  madeForKids: flag.describe('whether the videos are made for kids: true or false (default)'),
  notifySubscribers: flag.describe('whether subscribers are notified of a new video: true (default) or false'),
  containsSyntheticMedia: flag.describe(
    'whether the videos show realistic altered or synthetic content; default: not declared',
  ),
})

const keptCredentials = givenCredentials.extend({ uploadsPlaylistId: optionalText })
export type KeptCredentials = z.infer<typeof keptCredentials>

/** The owner's settings for every video of the account. */
export interface Settings {
  readonly privacyStatus: Privacy
  readonly categoryId: string
  readonly madeForKids: boolean
  readonly notifySubscribers: boolean
  readonly containsSyntheticMedia?: boolean
}

/** @throws PlatformError `needs-reauth` if they are not what `connect` stored */
export function kept(credentials: Credentials): KeptCredentials {
  return storedCredentials(keptCredentials, credentials, 'youtube')
}

export function settingsOf(credentials: Credentials): Settings {
  const { privacyStatus, categoryId, madeForKids, notifySubscribers, containsSyntheticMedia } = kept(credentials)
  return {
    privacyStatus: privacyStatus ?? 'public',
    categoryId: categoryId ?? '22',
    madeForKids: madeForKids === 'true',
    notifySubscribers: notifySubscribers !== 'false',
    ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia: containsSyntheticMedia === 'true' }),
  }
}
