import * as z from 'zod'
import { namedOptions } from '../kit/named-options.ts'

export const PUBLIC = 'PUBLIC_TO_EVERYONE'
export const PRIVACY_LEVELS = [PUBLIC, 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] as const

const flag = z.boolean().optional()

/** What one post has of its own. What is absent is as the account has it. */
export const tiktokOptions = namedOptions({
  mode: z
    .enum(['direct', 'inbox'])
    .optional()
    .describe(
      "Whether it is published directly, or uploaded to the TikTok inbox of the account's owner, where all other options have no effect.",
    ),
  privacyLevel: z.enum(PRIVACY_LEVELS).optional().describe('Who can see the post.'),
  allowComment: flag.describe('Whether comments are allowed.'),
  allowDuet: flag.describe('Whether duets with the video are allowed.'),
  allowStitch: flag.describe('Whether stitching the video is allowed.'),
  isAigc: flag.describe('Whether the video is labeled as AI-generated.'),
  brandContent: flag.describe('Whether the post promotes a third party (paid partnership).'),
  brandOrganic: flag.describe("Whether the post promotes the creator's own business."),
})
export type TiktokOptions = z.infer<typeof tiktokOptions>
