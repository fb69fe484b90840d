import { z } from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { ChannelFacts } from '../kit/analytics.ts'
import { count, told } from '../kit/counts.ts'

const postCounts = {
  likeCount: count,
  repostCount: count,
  replyCount: count,
  quoteCount: count,
  bookmarkCount: count,
}

/** The counts in a view of a post. */
export function postMetrics(counts: z.infer<z.ZodObject<typeof postCounts>>): PostMetrics {
  return told({
    likes: counts.likeCount,
    reposts: counts.repostCount,
    replies: counts.replyCount,
    quotes: counts.quoteCount,
    bookmarks: counts.bookmarkCount,
  })
}

/** A view of a post, as far as it counts. */
export const countedPost = z.object({ uri: z.string().min(1), ...postCounts })

const accountCounts = { followersCount: count, postsCount: count }

/** The counts in a view of an account. */
export function channelFacts(counts: z.infer<z.ZodObject<typeof accountCounts>>): ChannelFacts {
  return told({ followers: counts.followersCount, posts: counts.postsCount })
}

/** A view of an account, as far as it counts. */
export const countedAccount = z.object(accountCounts)
