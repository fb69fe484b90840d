import type { References } from '../../domain/conversation/comment.ts'
import { text } from '../../domain/core/text.ts'
import type { PublishedPart } from '../../domain/post/publish-result.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Conversation, ReplyJob } from './conversation.ts'
import type { Platform, PlatformIo, Prepared, Proof, Published, PublishHandle, PublishJob, Search } from './platform.ts'

/** `key` is the comment's UUID, identical for every attempt. */
export interface OwnComment {
  readonly key: string
  readonly text: string
}

/** The first comment under a post just published. */
export interface FirstComment {
  /** Where its text is: in the post's field `firstComment` (api-spec §4), or in the platform's option of that name. */
  readonly of: 'post' | 'option'
  /** Every rule that the text breaks, as sentences; called before the post is published. Pure. Absent: the platform judges. */
  check?(text: string, options: PublishJob['options']): readonly string[]
  /** How to reconcile one whose response was lost. */
  readonly proof: Exclude<Proof, 'handle'>
  /** Time (ms) after which `find` is certain to see it. */
  readonly visibleWithinMs: number
  /** All invisible work, as for a reply (`Conversation.prepare`). */
  prepare?(
    job: PublishJob,
    published: Published,
    comment: OwnComment,
    io: PlatformIo,
    earlier: PublishHandle | undefined,
  ): Promise<Prepared>
  /**
   * One visible call.
   *
   * @param handle from `prepare`
   * @returns the comment where it is a post of its own, which is still there once the post is deleted
   */
  post(
    job: PublishJob,
    published: Published,
    comment: OwnComment,
    io: PlatformIo,
    handle?: PublishHandle,
  ): Promise<PublishedPart | undefined>
  /** Finds it by its job alone: the record of the attempt may be lost too. Returns what `post` does. */
  find(
    job: PublishJob,
    published: Published,
    comment: OwnComment,
    io: PlatformIo,
  ): Promise<Search<PublishedPart | undefined>>
}

/** The option of platforms whose first comments are `of: 'option'`. */
export const firstComment = text(10_000)
  .min(1)
  .optional()
  .describe('Text that the account itself publishes right after the post, as the first comment under it.')

type Options = PublishJob['options']
interface Commented {
  readonly firstComment?: string | undefined
  readonly chain?: readonly unknown[] | undefined
}

/** The text of the first comment of a post on an account, if it has one. The parts of a chain are comments enough. */
export function firstCommentOf(
  { firstComment: connector }: Pick<Platform, 'firstComment'>,
  post: Commented,
  options: Options,
): string | undefined {
  if (!connector || post.chain) return undefined
  return connector.of === 'post' ? post.firstComment || undefined : optionIn(options)
}

/** The rules that a first comment breaks. */
export function brokenFirstCommentRules(
  platform: Pick<Platform, 'firstComment'>,
  post: Commented,
  options: Options,
): readonly string[] {
  const comment = firstCommentOf(platform, post, options)
  if (comment === undefined) return []
  return (platform.firstComment?.check?.(comment, options) ?? []).map((sentence) => `First comment: ${sentence}`)
}

export const NO_CHAIN = 'A chain has no first comment: leave out firstComment, or make it the last part.'

export function optionIn(options: Options): string | undefined {
  const comment = options?.['firstComment']
  return typeof comment === 'string' && comment !== '' ? comment : undefined
}

/** The first comment as a reply to the post, identical for every attempt. */
export function asReply(
  { account, queuedAt }: PublishJob,
  { postId }: Published,
  comment: OwnComment,
  references: References = {},
): ReplyJob {
  // A platform that takes it as the time of the comment lists it after the post.
  return { ...comment, account, commentId: postId, references, approvedAt: isoTime(Date.parse(queuedAt) + 1) }
}

/**
 * For platforms where a post is replied to like a comment.
 *
 * @param isPost whether a reply is a post of its own, which is still there once the other is deleted
 */
export function repliedFirstComment(
  { check, proof, visibleWithinMs, prepare, reply, find }: Conversation,
  {
    isPost = false,
    referencesTo,
  }: { readonly isPost?: boolean; readonly referencesTo?: (published: Published) => References },
): FirstComment {
  const part = (postId: string) => (isPost ? { postId } : undefined)
  return {
    ...{ of: 'option', check, proof, visibleWithinMs },
    ...(prepare && {
      prepare: (job, published, comment, io, earlier) =>
        prepare(asReply(job, published, comment, referencesTo?.(published)), io, earlier),
    }),
    post: async (job, published, comment, io, handle) => {
      const sent = await reply(asReply(job, published, comment, referencesTo?.(published)), io, handle)
      return part(sent.replyId)
    },
    find: async (job, published, comment, io) => {
      const search = await find?.(asReply(job, published, comment, referencesTo?.(published)), io)
      if (!search) return { outcome: 'unknown' }
      return search.outcome === 'found' ? { ...search, found: part(search.found.replyId) } : search
    },
  }
}
