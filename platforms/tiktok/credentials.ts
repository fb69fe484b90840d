import * as z from 'zod'
import { checkedCredentials, optionalText } from '../kit/credentials.ts'
import { tokenFields } from '../kit/oauth-token.ts'
import type { Credentials } from '../kit/platform.ts'

export const PUBLIC = 'PUBLIC_TO_EVERYONE'
/** Not a level of TikTok's: posts go to the creator's inbox, and the creator chooses the level, as everything else, in the app. */
const INBOX = 'INBOX'
const PRIVACY_LEVELS = [PUBLIC, 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY', INBOX] as const

const flag = (what: string) => z.enum(['true', 'false']).optional().describe(`${what}: true or false (default)`)

export const credentialsSchema = z.object({
  ...tokenFields,
  refreshExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('when the refresh token expires, ISO 8601 UTC; updated automatically'),
  clientId: optionalText.describe('client key of the TikTok app; required to renew the access token'),
  clientSecret: optionalText.describe('client secret of the TikTok app; required to renew the access token'),
  // No default: TikTok requires the creator to choose it.
  privacyLevel: z
    .enum(PRIVACY_LEVELS)
    .describe(
      `who can see the posts: ${PRIVACY_LEVELS.join(', ')}. With ${INBOX} each is uploaded to the TikTok inbox of the account's owner, who publishes it in the TikTok app`,
    ),
  disableComment: flag('whether comments are disabled'),
  disableDuet: flag('whether duets with the videos are disabled'),
  disableStitch: flag('whether stitching the videos is disabled'),
  brandContent: flag('whether the posts promote a third party (paid partnership)'),
  brandOrganic: flag("whether the posts promote the creator's own business"),
  aiGenerated: flag('whether the videos are labeled as AI-generated'),
  autoAddMusic: flag('whether TikTok adds music to images'),
})

/** The owner's settings for every post of the account. */
export interface Settings {
  readonly privacyLevel: (typeof PRIVACY_LEVELS)[number]
  readonly disableComment: boolean
  readonly disableDuet: boolean
  readonly disableStitch: boolean
  readonly brandContent: boolean
  readonly brandOrganic: boolean
  readonly aiGenerated: boolean
  readonly autoAddMusic: boolean
}

/** Whether posts go to the inbox of the account's owner. */
export function isForInbox({ privacyLevel }: { readonly privacyLevel?: string }): boolean {
  return privacyLevel === INBOX
}

/** @throws PlatformError naming each wrong field */
export function settingsOf(credentials: Credentials): Settings {
  const given = checkedCredentials(credentialsSchema, credentials, 'tiktok')
  return {
    privacyLevel: given.privacyLevel,
    disableComment: given.disableComment === 'true',
    disableDuet: given.disableDuet === 'true',
    disableStitch: given.disableStitch === 'true',
    brandContent: given.brandContent === 'true',
    brandOrganic: given.brandOrganic === 'true',
    aiGenerated: given.aiGenerated === 'true',
    autoAddMusic: given.autoAddMusic === 'true',
  }
}
