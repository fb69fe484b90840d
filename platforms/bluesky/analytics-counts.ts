import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { ChannelFacts } from '../kit/analytics.ts'
import { count, known } from '../kit/counts.ts'

const postCounts = {
  likeCount: count,
  repostCount: count,
  replyCount: count,
  quoteCount: count,
  bookmarkCount: count,
}

/** Maps the counts of a post view to metrics. */
export function postMetrics(counts: z.infer<z.ZodObject<typeof postCounts>>): PostMetrics {
  return known({
    likes: counts.likeCount,
    reposts: counts.repostCount,
    replies: counts.replyCount,
    quotes: counts.quoteCount,
    bookmarks: counts.bookmarkCount,
  })
}

/** The counts of a post view. */
export const countedPost = z.object({ uri: z.string().min(1), ...postCounts })

const accountCounts = { followersCount: count, postsCount: count }

/** Maps the counts of an account view to channel facts. */
export function channelFacts(counts: z.infer<z.ZodObject<typeof accountCounts>>): ChannelFacts {
  return known({ followers: counts.followersCount, posts: counts.postsCount })
}

/** The counts of an account view. */
export const countedAccount = z.object(accountCounts)
