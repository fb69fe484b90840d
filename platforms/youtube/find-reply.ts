import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import { PlatformError, type PlatformIo, type Search } from '../kit/platform.ts'
import { asDated } from './comment.ts'
import { allowance } from './page.ts'
import { sentReply } from './reply.ts'
import { sameText } from './text.ts'
import { repliesIn, threadOf, type Replies, type Thread } from './thread.ts'

/** How far (ms) our clock may be ahead of YouTube's. */
const CLOCKS_APART_MS = 60_000
/** 1,000 replies. */
const MOST_PAGES = 10

/**
 * Looks for a reply whose answer was lost. Replies carry no marker of ours, so it is identified by author, text and time;
 * an ambiguous match is `unknown`.
 *
 * @throws PlatformError if a later search may give an answer
 */
export async function findReply(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  const listed = await look(job, io)
  // A deleted comment takes its replies with it.
  if (!listed) return { outcome: 'unknown' }

  const approvedAt = asDated(Date.parse(job.approvedAt))
  const own = job.account.externalId
  const alike = listed.replies.comments.filter(
    ({ authorId = own, publishedAt, text }) =>
      authorId === own && publishedAt >= approvedAt - CLOCKS_APART_MS && sameText(text, job.text),
  )
  const [reply, ...others] = alike
  if (!reply) return { outcome: listed.replies.complete ? 'absent' : 'unknown' }
  // The same text may have been sent before on purpose, so an earlier reply is not this one.
  const isOurs = others.length === 0 && reply.authorId !== undefined && reply.publishedAt >= approvedAt
  return isOurs ? { outcome: 'found', found: sentReply(reply.id, listed.thread) } : { outcome: 'unknown' }
}

async function look(
  { commentId, account }: ReplyJob,
  io: PlatformIo,
): Promise<{ readonly thread: Thread; readonly replies: Replies } | undefined> {
  try {
    const thread = await threadOf(commentId, account, io)
    return thread && { thread, replies: await repliesIn(thread.id, account, allowance(MOST_PAGES), io) }
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'permanent') return undefined
    throw error
  }
}
