import type { PlatformKey } from '../domain/platform.ts'
import { bluesky } from './bluesky/index.ts'
import { genericPlatform } from './generic.ts'
import { pinterest } from './pinterest/index.ts'
import type { Platform } from './platform.ts'
import { youtube } from './youtube/index.ts'

/** Every platform's connector. Adding one is one line here. */
export const platforms: Readonly<Record<PlatformKey, Platform>> = {
  instagram: genericPlatform('instagram', { firstComment: true }),
  youtube,
  x: genericPlatform('x', { firstComment: false }),
  facebook: genericPlatform('facebook', { firstComment: true }),
  threads: genericPlatform('threads', { firstComment: false }),
  tiktok: genericPlatform('tiktok', { firstComment: false }),
  linkedin: genericPlatform('linkedin', { firstComment: false }),
  bluesky,
  pinterest,
  googlebusiness: genericPlatform('googlebusiness', { firstComment: false }),
}
