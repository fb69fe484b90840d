import type { PlatformKey } from '../domain/platform.ts'
import { bluesky } from './bluesky/index.ts'
import { genericPlatform } from './generic.ts'
import { googlebusiness } from './googlebusiness/index.ts'
import { instagram } from './instagram/index.ts'
import { linkedin } from './linkedin/index.ts'
import { pinterest } from './pinterest/index.ts'
import type { Platform } from './platform.ts'
import { threads } from './threads/index.ts'
import { x } from './x/index.ts'
import { youtube } from './youtube/index.ts'

/** Every platform's connector. Adding one is one line here. */
export const platforms: Readonly<Record<PlatformKey, Platform>> = {
  instagram,
  youtube,
  x,
  facebook: genericPlatform('facebook', { firstComment: true }),
  threads,
  tiktok: genericPlatform('tiktok', { firstComment: false }),
  linkedin,
  bluesky,
  pinterest,
  googlebusiness,
}
