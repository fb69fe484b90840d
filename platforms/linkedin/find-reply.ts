import type { ReplyJob, SentReply } from '../kit/conversation.ts'
import type { PlatformIo, Search } from '../kit/platform.ts'
import { isOrganization } from './author.ts'
import { readComment, type Comment } from './comment.ts'
import { isNoAnswer } from './errors.ts'
import { pagesOf } from './listing.ts'
import { sentAs, threadOf } from './reply.ts'
import { mayShow } from './same-text.ts'
import { encodedUrn } from './urn.ts'

/** A comment older than the approval by more than this was written before it, if the clocks are in sync. */
const CERTAIN_MS = 5_000
/** How far out-of-sync clocks may differ. */
const CLOCKS_APART_MS = 10 * 60_000

/**
 * Looks for the page's reply under the comment it answers: the only one with its text, written after the approval.
 * LinkedIn stores no other marker, so a second reply with the same text, or one from just before the approval, makes the
 * outcome unknown. So does a lack of access: members cannot read comments, nor can pages on the posts of others.
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
