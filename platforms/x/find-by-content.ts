import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import type { OtherPosts, PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import { permalink } from './create-post.ts'
import { ownPostsLike, type OwnPost } from './own-posts.ts'
import { hasLinks, isPostShownAs, isShownAs } from './shown-text.ts'

/** Looks for the account's post, or reply of a chain, with the job's text. @throws PlatformError if a later search may give an answer */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  const { account, text, mediaType, inReplyTo } = job
  const mayBeIt = ({ text: shown, mediaKeys, answers }: OwnPost): boolean =>
    mediaKeys.length > 0 === (mediaType !== 'text') &&
    answers === inReplyTo?.previous.postId &&
    (inReplyTo ? isShownAs : isPostShownAs)(text, shown)
  const isSure = ({ links = [] }: OwnPost): boolean => hasLinks(text, links)
  return unlessRefused(async () => {
    const { alike, isWhole } = await ownPostsLike(account, since, mayBeIt, io)
    // Posts of one feed may differ only in their link targets. If none matches ours, the post may still be among them.
    const ours = alike.filter(isSure)
    const seen = { alike: ours.length > 0 ? ours : alike, isWhole }
    const telling = {
      listed: ({ id, createdAt }: OwnPost) => ({ id, createdAt }),
      published: async (post: OwnPost) =>
        isSure(post) ? { postId: post.id, url: await permalink(post.id, io) } : undefined,
    }
    return theOne(job, seen, telling, others)
  })
}
