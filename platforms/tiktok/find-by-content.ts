import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import type { OtherPosts, PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import { tiktokApi } from './api.ts'
import { addressOf, CLOCKS_APART_MS, isAlike, isListedWith, postsSince, type Listed } from './listing.ts'

/**
 * Looks for the post among the account's public posts. TikTok lists no others, and maybe no photos, so a missing post
 * proves nothing.
 *
 * @throws PlatformError if a later search may give an answer
 */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  const telling = {
    // Its creation time depends on when TikTok had received all of it, so it cannot identify the post.
    listed: ({ id }: Listed) => ({ id }),
    published: (post: Listed) => (isListedWith(post, job.text) ? { postId: post.id, ...addressOf(post) } : undefined),
  }
  return unlessRefused(async () => {
    const posts = await postsSince(since - CLOCKS_APART_MS, tiktokApi(job.account, io))
    const alike = (posts ?? []).filter((post) => isAlike(post, job))
    const search = await theOne(job, { alike, isWhole: posts !== undefined }, telling, others)
    return search.outcome === 'absent' ? { outcome: 'unknown' } : search
  })
}
