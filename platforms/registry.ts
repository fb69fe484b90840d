import type { PlatformKey } from '../domain/core/platform.ts'
import { bluesky } from './bluesky/index.ts'
import { facebook } from './facebook/index.ts'
import { googlebusiness } from './googlebusiness/index.ts'
import { instagram } from './instagram/index.ts'
import { linkedin } from './linkedin/index.ts'
import { mastodon } from './mastodon/index.ts'
import { pinterest } from './pinterest/index.ts'
import type { Platform } from './kit/platform.ts'
import { threads } from './threads/index.ts'
import { tiktok } from './tiktok/index.ts'
import { x } from './x/index.ts'
import { youtube } from './youtube/index.ts'

/** Every platform's connector. Adding one is one line here. */
export const platforms: Readonly<Record<PlatformKey, Platform>> = {
  instagram,
  youtube,
  x,
  facebook,
  threads,
  tiktok,
  linkedin,
  bluesky,
  pinterest,
  googlebusiness,
  mastodon,
}
