import * as z from 'zod'
import type { MediaFacts } from '../../infra/media/media.ts'
import { PlatformError } from '../kit/platform.ts'
import { quoted } from '../kit/rest.ts'
import type { Api } from './api.ts'
import type { Settings } from './credentials.ts'

const creatorInfo = z.object({
  creator_username: z
    .string()
    .regex(/^[\w.]{1,64}$/)
    .catch(''),
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.boolean().catch(false),
  duet_disabled: z.boolean().catch(false),
  stitch_disabled: z.boolean().catch(false),
  max_video_post_duration_sec: z.number().positive().optional().catch(undefined),
})
export type Creator = Readonly<z.infer<typeof creatorInfo>>

/** What the account may post right now. TikTok requires this call before every post. */
export function creatorOf(api: Api): Promise<Creator> {
  return api({ path: '/post/publish/creator_info/query/', json: {} }, creatorInfo)
}

/** @throws PlatformError `permanent`: the level is the owner's choice and is never replaced by another */
export function mustOffer({ privacy_level_options: offered }: Creator, { privacyLevel }: Settings): void {
  if (offered.includes(privacyLevel)) return
  const choice = offered.map(quoted).join(', ')
  throw new PlatformError('permanent', `privacyLevel: TikTok offers this account ${choice}, not ${privacyLevel}.`)
}

/** @throws PlatformError `permanent` */
export function mustAllow({ max_video_post_duration_sec: most }: Creator, { durationMs }: MediaFacts): void {
  if (most === undefined || durationMs === undefined || durationMs <= most * 1_000) return
  const message = `TikTok accepts videos of at most ${most} seconds from this account; this one is ${durationMs / 1_000} seconds.`
  throw new PlatformError('permanent', message)
}

/** The `post_info` of a photo post besides its text. */
export function photoInfo(settings: Settings, creator: Creator): Readonly<Record<string, string | boolean>> {
  return {
    privacy_level: settings.privacyLevel,
    disable_comment: settings.disableComment || creator.comment_disabled,
    auto_add_music: settings.autoAddMusic,
    brand_content_toggle: settings.brandContent,
    brand_organic_toggle: settings.brandOrganic,
  }
}

/** The `post_info` of a video besides its text. */
export function videoInfo(settings: Settings, creator: Creator): Readonly<Record<string, string | boolean>> {
  return {
    privacy_level: settings.privacyLevel,
    disable_comment: settings.disableComment || creator.comment_disabled,
    disable_duet: settings.disableDuet || creator.duet_disabled,
    disable_stitch: settings.disableStitch || creator.stitch_disabled,
    brand_content_toggle: settings.brandContent,
    brand_organic_toggle: settings.brandOrganic,
    is_aigc: settings.aiGenerated,
  }
}
