import { namedOptions } from './kit/named-options.ts'
import { pinOptions } from './pinterest/options.ts'
import { tiktokOptions } from './tiktok/options.ts'
import { videoOptions } from './youtube/options.ts'

/** What a post may set on one platform alone. */
export const platformOptions = namedOptions({
  pinterest: pinOptions.optional(),
  tiktok: tiktokOptions.optional(),
  youtube: videoOptions.optional(),
}).describe('Options that only one platform has, by platform key.')
