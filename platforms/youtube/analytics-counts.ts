import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { ChannelFacts } from '../kit/analytics.ts'
import { known } from '../kit/counts.ts'

/** YouTube sends counts as text. Counts beyond the safe integer range are treated as missing. */
const countInText = z.string().regex(/^\d+$/).transform(Number).pipe(z.int()).optional().catch(undefined)

/** `statistics` of a video. Counts that its owner has hidden or disabled are absent. */
export const videoCounts = z
  .object({ viewCount: countInText, likeCount: countInText, commentCount: countInText })
  .transform(({ viewCount, likeCount, commentCount }): PostMetrics =>
    known({ views: viewCount, likes: likeCount, comments: commentCount }),
  )

/** `statistics` of a channel. */
export const channelCounts = z
  .object({
    subscriberCount: countInText,
    hiddenSubscriberCount: z.boolean().catch(false),
    videoCount: countInText,
    viewCount: countInText,
  })
  .transform(({ subscriberCount, hiddenSubscriberCount, videoCount, viewCount }): ChannelFacts =>
    // A hidden subscriber count may be reported as 0.
    known({
      followers: hiddenSubscriberCount ? undefined : subscriberCount,
      posts: videoCount,
      views: viewCount,
    }),
  )
