import { z } from 'zod'
import { tokenFields } from '../kit/oauth-token.ts'
import { PlatformError, type Credentials } from '../kit/platform.ts'

export const PUBLIC = 'PUBLIC_TO_EVERYONE'
const PRIVACY_LEVELS = [PUBLIC, 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] as const

const flag = (what: string) => z.enum(['true', 'false']).optional().describe(`${what}: true or false (default)`)

export const credentialsSchema = z.object({
  ...tokenFields,
  refreshExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('when the refresh token ends, ISO 8601 UTC; kept up to date by itself'),
  clientId: z.string().min(1).optional().describe('client key of the TikTok app; needed for renewing the access token'),
  clientSecret: z.string().min(1).optional().describe('client secret of the TikTok app; needed as its key is'),
  // No default: TikTok requires the creator to choose it.
  privacyLevel: z.enum(PRIVACY_LEVELS).describe(`who sees the posts: ${PRIVACY_LEVELS.join(', ')}`),
  disableComment: flag('whether nobody may comment'),
  disableDuet: flag('whether nobody may make a duet with the videos'),
  disableStitch: flag('whether nobody may stitch the videos'),
  brandContent: flag('whether the posts advertise for somebody else (paid partnership)'),
  brandOrganic: flag("whether the posts advertise for the creator's own business"),
  aiGenerated: flag('whether the videos are labelled as made by AI'),
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

/** @throws PlatformError naming each wrong field */
export function settingsOf(credentials: Credentials): Settings {
  const parsed = credentialsSchema.safeParse(credentials)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new PlatformError('permanent', `TikTok credentials: ${wrong.join('; ')}`)
  }
  const given = parsed.data
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
