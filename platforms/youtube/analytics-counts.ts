import { z } from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { ChannelFacts } from '../kit/analytics.ts'
import { told } from '../kit/counts.ts'

/** YouTube has counts as text. One that no number can hold exactly is taken for one that is not told. */
const countInText = z.string().regex(/^\d+$/).transform(Number).pipe(z.int()).optional().catch(undefined)

/** `statistics` of a video. What its owner hides or has switched off is absent. */
export const videoCounts = z
  .object({ viewCount: countInText, likeCount: countInText, commentCount: countInText })
  .transform(({ viewCount, likeCount, commentCount }): PostMetrics =>
    told({ views: viewCount, likes: likeCount, comments: commentCount }),
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
    // Hidden subscribers may be shown as none.
    told({
      followers: hiddenSubscriberCount ? undefined : subscriberCount,
      posts: videoCount,
      views: viewCount,
    }),
  )
