import * as z from 'zod'
import { checkedOptions } from '../kit/checked-options.ts'
import { namedOptions } from '../kit/named-options.ts'
import type { PublishJob } from '../kit/platform.ts'
import { webUrl } from '../kit/web-url.ts'
import { PLACEMENTS } from '../meta/placement.ts'

/** What one post on Facebook has of its own. */
export const facebookOptions = namedOptions({
  placement: z
    .enum(PLACEMENTS, { error: `must be one of ${PLACEMENTS.join(', ')}` })
    .optional()
    .describe(
      'Where it appears. `feed`: among the posts of the Page. `reel`: a vertical video of 3 to 90 s. `story`: one image, or a vertical video of 3 to 60 s, for 24 hours, without text and comments. Default: a vertical video of at most 90 s is a reel, anything else a post.',
    ),
  link: webUrl
    .optional()
    .describe('Link that a post without media shows with a preview of the page. It may be absent from the text.'),
})

/** @throws PlatformError `permanent`, naming each wrong field */
export function optionsOf(job: PublishJob): z.infer<typeof facebookOptions> {
  return checkedOptions(facebookOptions, job)
}
