import * as z from 'zod'
import { RATIO_FITS } from '../../infra/media/image-conversion.ts'
import { someMedia } from '../kit/checked-media.ts'
import { checkedOptions } from '../kit/checked-options.ts'
import { namedOptions } from '../kit/named-options.ts'
import { PlatformError, type PublishJob } from '../kit/platform.ts'
import { webUrl } from '../kit/web-url.ts'
import { isStory, PLACEMENTS } from '../meta/placement.ts'

const username = z.string().regex(/^[\w.]{1,30}$/, 'must be an Instagram username without @')
const place = z.number({ error: 'must be a number from 0 to 1' }).min(0).max(1)

/** What one post on Instagram has of its own. */
export const instagramOptions = namedOptions({
  placement: z
    .enum(PLACEMENTS, { error: `must be one of ${PLACEMENTS.join(', ')}` })
    .optional()
    .describe(
      'Where it appears. `feed`: an image or a carousel in the feed; a video is a reel. `reel`: a video only. `story`: one image or video for 24 hours, without caption and comments. Default: feed.',
    ),
  collaborators: z
    .array(username)
    .min(1)
    .max(3, 'must name at most 3 accounts')
    .optional()
    .describe('Usernames of accounts that are invited as authors of the post.'),
  userTags: z
    .array(
      z.strictObject({
        username,
        x: place.optional().describe('Where the account is in the image: 0 is its left edge, 1 its right one.'),
        y: place.optional().describe('The same from the top, 0, to the bottom, 1.'),
      }),
    )
    .min(1)
    .max(20)
    .optional()
    .describe(
      'Accounts tagged in the image, the reel or the story. In a carousel, in its first item, which must be an image.',
    ),
  locationId: z
    .string()
    .regex(/^\d{1,32}$/, 'must be the numeric ID of a Facebook Page with a location')
    .optional()
    .describe('ID of the Facebook Page of the place.'),
  shareToFeed: z
    .boolean()
    .optional()
    .describe('Whether a reel is also shown in the feed. Images always are. Default: true.'),
  coverUrl: webUrl
    .optional()
    .describe('Public URL of a JPEG of at most 8 MB: the cover of a reel. It replaces the thumbnail of the video.'),
  thumbOffset: z
    .int()
    .min(0)
    .optional()
    .describe('The frame of a reel that is its cover without coverUrl, in milliseconds from the start.'),
  imageFit: z
    .enum(RATIO_FITS)
    .optional()
    .describe(
      'How an image outside of 4:5 to 1.91:1 is made to fit: `pad` adds white margins, `crop` cuts off its edges. Default: pad.',
    ),
})
export type InstagramOptions = z.infer<typeof instagramOptions>

/** @throws PlatformError `permanent`, naming each wrong field */
export function optionsOf(job: PublishJob): InstagramOptions {
  const options = checkedOptions(instagramOptions, job)
  const { userTags = [] } = options
  const [first, ...more] = someMedia(job)
  if (first.type === 'image' && !isStory(job) && userTags.some(({ x, y }) => x === undefined || y === undefined)) {
    throw new PlatformError('permanent', 'Instagram requires x and y of each of the userTags in an image.')
  }
  if (first.type === 'video' && more.length > 0 && userTags.length > 0) {
    throw new PlatformError('permanent', 'The first item of a carousel with userTags must be an image.')
  }
  return options
}
