import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import { PlatformError, type PlatformAccount, type PlatformIo } from '../kit/platform.ts'
import { asDated, readable, type Comment } from './comment.ts'
import { allowance, pageOf } from './page.ts'
import { PLAIN, repliesIn, thread, type Replies, type Thread } from './thread.ts'

/** Threads are listed by creation time. For this long (ms) after it, a thread is still checked for new replies. */
const LIVELY_FOR_MS = 7 * 86_400_000
/** Per poll. Each page costs a unit of the quota that all channels of a project share. */
const MOST_PAGES = 60

/**
 * Comments and replies by others on the channel's videos or its page. Comments held for review are not listed.
 *
 * @param since ISO 8601 UTC
 * @throws PlatformError
 */
export async function* fetchComments(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncGenerator<readonly FetchedComment[]> {
  const query = {
    part: 'snippet,replies',
    allThreadsRelatedToChannelId: account.externalId,
    order: 'time',
    ...PLAIN,
  }
  const from = asDated(Date.parse(since))
  const openedFrom = Math.min(from, io.clock.now() - LIVELY_FOR_MS)
  const isOlder = ({ top }: Thread): boolean => top !== undefined && top.publishedAt < openedFrom
  const mayCall = allowance(MOST_PAGES)
  let missing: PlatformError | undefined
  let pageToken: string | undefined
  while (mayCall()) {
    const page = await pageOf(account, 'commentThreads', query, pageToken, io)
    const threads = readable(thread, page.items)
    const comments: FetchedComment[] = []
    for (const each of threads) {
      if (isOlder(each)) continue
      try {
        const replies = await allReplies(each, account, mayCall, io)
        comments.push(...writtenByOthers(each, replies, account, from))
      } catch (error) {
        missing ??= passedOver(error, io)
      }
    }
    yield comments
    pageToken = page.nextPageToken
    // Only the last thread decides, as an old one may be pinned to the top.
    if (pageToken === undefined || threads.slice(-1).some(isOlder)) break
  }
  if (missing) throw missing
}

async function allReplies(
  { id, replies }: Thread,
  account: PlatformAccount,
  mayCall: () => boolean,
  io: PlatformIo,
): Promise<Replies> {
  if (replies.complete) return replies
  const { comments, complete } = await repliesIn(id, account, mayCall, io)
  const byId = new Map([...replies.comments, ...comments].map((each) => [each.id, each]))
  return { comments: [...byId.values()], complete }
}

/**
 * Keeps one unreadable thread from blocking the others. A permanent error drops the thread.
 *
 * @returns the error to throw after the other threads, so that the poll is repeated
 * @throws errors that affect the other threads too
 */
function passedOver(error: unknown, io: PlatformIo): PlatformError | undefined {
  if (!(error instanceof PlatformError) || io.signal.aborted) throw error
  if (error.kind === 'permanent') return undefined
  if (error.kind === 'retryable' && !error.accountRests) return error
  throw error
}

function writtenByOthers(
  { videoId, top }: Thread,
  { comments: replies, complete }: Replies,
  { externalId }: PlatformAccount,
  from: number,
): readonly FetchedComment[] {
  const ours = replies.filter(({ authorId }) => authorId === externalId)
  /** YouTube does not record which comment a reply answers, so it counts for all comments before it. */
  const answered = (comment: Comment): boolean =>
    ours.some(({ publishedAt }) => comment === top || publishedAt > comment.publishedAt)
  const all = top ? [top, ...replies] : replies
  return all
    .filter(({ authorId, publishedAt }) => authorId !== externalId && publishedAt >= from)
    .map((comment) => {
      const replied = answered(comment) || (complete ? false : undefined)
      return {
        id: comment.id,
        kind: 'comment',
        ...(videoId !== undefined && { postId: videoId }),
        author: comment.author,
        ...(comment.authorId !== undefined && { authorId: comment.authorId }),
        text: comment.text,
        createdAt: isoTime(comment.publishedAt),
        ...(replied !== undefined && { replied }),
        references: {},
      }
    })
}
