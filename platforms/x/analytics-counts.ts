import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { ChannelFacts } from '../kit/analytics.ts'
import { count, known } from '../kit/counts.ts'

/** `public_metrics` of a post, under the old or the new names. */
export const postCounts = z
  .object({
    like_count: count,
    retweet_count: count,
    repost_count: count,
    reply_count: count,
    quote_count: count,
    bookmark_count: count,
    impression_count: count,
  })
  .transform((counts): PostMetrics =>
    known({
      likes: counts.like_count,
      reposts: counts.repost_count ?? counts.retweet_count,
      replies: counts.reply_count,
      quotes: counts.quote_count,
      bookmarks: counts.bookmark_count,
      impressions: counts.impression_count,
    }),
  )

/** `public_metrics` of a user, under the old or the new names. */
export const userCounts = z
  .object({ followers_count: count, tweet_count: count, post_count: count })
  .transform((counts): ChannelFacts =>
    known({ followers: counts.followers_count, posts: counts.post_count ?? counts.tweet_count }),
  )
