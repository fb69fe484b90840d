import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import { hasStatus } from '../kit/errors.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { isOrganization, shownAuthor } from './author.ts'
import { readComments, type Comment } from './comment.ts'
import { commentedPosts, type CommentedPost } from './commented-posts.ts'
import { pagesOf } from './listing.ts'
import { newsOf, type News } from './notifications.ts'
import { encodedUrn } from './urn.ts'

/** Comments and mentions of a page. Yields nothing for members, whose comments no app can read. @throws PlatformError */
export async function* fetchComments(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncGenerator<readonly FetchedComment[]> {
  if (!isOrganization(account.externalId)) return
  const from = Date.parse(since)
  const { commented, mentions } = await newsOrPosts(account, from, io)
  if (mentions.length > 0) yield mentions
  for (const post of commented) yield* under(post, { account, from, io })
}

/** @throws PlatformError */
async function newsOrPosts(account: PlatformAccount, from: number, io: PlatformIo): Promise<News> {
  try {
    return await newsOf(account, from, io)
  } catch (error) {
    if (!hasStatus(error, 403)) throw error
    return { commented: await commentedPosts(account, io), mentions: [] }
  }
}

interface Fetching {
  readonly account: PlatformAccount
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly io: PlatformIo
}

/** Reads the list to its end, as LinkedIn does not guarantee an order. */
async function* under(post: CommentedPost, fetching: Fetching): AsyncGenerator<readonly FetchedComment[]> {
  const awaited = post.news && new Set(post.news)
  const threads: Comment[] = []
  for await (const page of listed(post.target, fetching)) {
    // Replies are read with their threads below.
    const comments = page.filter(({ isReply }) => !isReply)
    for (const { id } of comments) awaited?.delete(id)
    threads.push(...comments.filter(({ replies }) => replies > 0))
    yield comments.filter(({ replies }) => replies === 0).flatMap((comment) => shown(comment, false, post, fetching))
  }
  for (const thread of threads.toSorted((a, b) => b.createdAt - a.createdAt)) {
    // Skip old threads once every new comment has been found.
    if (thread.createdAt < fetching.from && awaited?.size === 0) continue
    const replies: Comment[] = []
    for await (const page of listed(thread.urn, fetching)) replies.push(...page)
    for (const { id } of replies) awaited?.delete(id)
    const own = replies.filter(({ actor }) => actor === fetching.account.externalId)
    // LinkedIn does not say which comment a reply answers, so anything the page wrote later counts as the answer.
    const answeredUntil = Math.max(-Infinity, ...own.map(({ createdAt }) => createdAt))
    const replied = replies.length === 0 ? () => undefined : ({ createdAt }: Comment) => createdAt <= answeredUntil
    yield [thread, ...replies].flatMap((each) => shown(each, replied(each), post, fetching))
  }
}

/** Comments on a post or a comment; none if it was deleted in the meantime. */
async function* listed(target: string, { account, io }: Fetching): AsyncGenerator<readonly Comment[]> {
  try {
    const path = `/rest/socialActions/${encodedUrn(target)}/comments` as const
    for await (const { elements } of pagesOf(path, account.baseUrl, io)) yield readComments(elements)
  } catch (error) {
    if (!hasStatus(error, 400, 404)) throw error
  }
}

/**
 * @param replied undefined if unknown, as for a thread whose replies are counted but not listed
 * @returns the comment, or nothing if it is the page's own or too old
 */
function shown(
  { urn, actor, object, text, createdAt }: Comment,
  replied: boolean | undefined,
  { target, postId }: CommentedPost,
  { account, from }: Fetching,
): readonly FetchedComment[] {
  if (actor === account.externalId || createdAt < from) return []
  const comment: FetchedComment = {
    id: urn,
    kind: 'comment',
    ...(postId !== undefined && { postId }),
    author: shownAuthor(actor),
    ...(actor !== undefined && { authorId: actor }),
    text,
    createdAt: isoTime(createdAt),
    ...(replied !== undefined && { replied }),
    references: { postUrn: object ?? target },
  }
  return [comment]
}
