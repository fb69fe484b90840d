import { blueskyOptions } from './bluesky/options.ts'
import { facebookOptions } from './facebook/options.ts'
import { googlebusinessOptions } from './googlebusiness/options.ts'
import { instagramOptions } from './instagram/options.ts'
import { namedOptions } from './kit/named-options.ts'
import { linkedinOptions } from './linkedin/options.ts'
import { mastodonOptions } from './mastodon/options.ts'
import { pinOptions } from './pinterest/options.ts'
import { threadsOptions } from './threads/options.ts'
import { tiktokOptions } from './tiktok/options.ts'
import { xOptions } from './x/options.ts'
import { videoOptions } from './youtube/options.ts'

/** What a post may set on one platform alone. */
export const platformOptions = namedOptions({
  bluesky: blueskyOptions.optional(),
  facebook: facebookOptions.optional(),
  googlebusiness: googlebusinessOptions.optional(),
  instagram: instagramOptions.optional(),
  linkedin: linkedinOptions.optional(),
  mastodon: mastodonOptions.optional(),
  pinterest: pinOptions.optional(),
  threads: threadsOptions.optional(),
  tiktok: tiktokOptions.optional(),
  x: xOptions.optional(),
  youtube: videoOptions.optional(),
}).describe('Options that only one platform has, by platform key.')
