import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { PlatformIo, Search } from '../kit/platform.ts'
import { isOrganization } from './author.ts'
import { readComment, type Comment } from './comment.ts'
import { isNoAnswer } from './errors.ts'
import { pagesOf } from './listing.ts'
import { sentAs, threadOf } from './reply.ts'
import { mayShow } from './same-text.ts'
import { encodedUrn } from './urn.ts'

/** What is older by more than this was written before, as far as clocks that are kept right tell. */
const CERTAIN_MS = 5_000
/** Clocks that are not may differ by so much. */
const CLOCKS_APART_MS = 10 * 60_000

/**
 * Looks for a reply under the comment that it goes under: the page's one reply with the text, not written before it was
 * decided on. LinkedIn keeps no other mark of it, so that a second one with the same text, or one of just before, settles
 * nothing. Members may not read comments, nor pages those on the posts of others: there the outcome stays unknown.
 *
 * @throws PlatformError
 */
export async function findReply(job: ReplyJob, io: PlatformIo): Promise<Search<SentReply>> {
  const { externalId, baseUrl } = job.account
  if (!isOrganization(externalId)) return { outcome: 'unknown' }
  const approvedAt = Date.parse(job.approvedAt)
  const ours = new Map<string, Comment>()
  let isDoubtful = false
  let isWhole = false
  try {
    const thread = await threadOf(job, io)
    const target = encodedUrn(thread?.urn ?? job.commentId)
    for await (const { elements, isLast } of pagesOf(`/rest/socialActions/${target}/comments`, baseUrl, io)) {
      isWhole = isLast
      for (const element of elements) {
        const comment = readComment(element)
        if (!comment || comment.actor === undefined) isDoubtful = true
        else if (comment.actor === externalId && mayShow(comment.text, job.text)) ours.set(comment.urn, comment)
      }
    }
    const oldest = approvedAt - CLOCKS_APART_MS
    const [found, ...others] = [...ours.values()].filter(({ createdAt }) => createdAt >= oldest)
    if (!found) return { outcome: isDoubtful || !isWhole ? 'unknown' : 'absent' }
    if (others.length > 0 || found.createdAt < approvedAt - CERTAIN_MS) return { outcome: 'unknown' }
    return { outcome: 'found', found: sentAs(found, thread) }
  } catch (error) {
    if (isNoAnswer(error)) return { outcome: 'unknown' }
    throw error
  }
}
