import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import type { OtherPosts, PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import { tiktokApi } from './api.ts'
import { addressOf, CLOCKS_APART_MS, isAlike, isListedWith, postsSince, type Listed } from './listing.ts'

/**
 * Looks for it among the account's public posts. Others are not listed, nor need photos be: not listed proves nothing.
 *
 * @throws PlatformError when looking again later may tell
 */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  const telling = {
    // It is made when TikTok has all of it, whenever that is: its time does not tell whose it is.
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
