import { asReply, type FirstComment } from '../kit/first-comment.ts'
import { conversation } from './conversation.ts'
import { findByContent } from './find.ts'
import { createOnce, referenceTo } from './own-record.ts'
import { ownReply } from './reply.ts'
import { withSession } from './session.ts'

/** A reply to the post. The app may not know the post yet, so it is not asked whether the post can be replied to. */
export const firstComment: FirstComment = {
  of: 'option',
  check: conversation.check,
  proof: conversation.proof,
  visibleWithinMs: conversation.visibleWithinMs,
  post: (job, published, comment, io) =>
    withSession(job.account, io, async (session) => {
      const post = await referenceTo(published.postId, session, io)
      const own = await ownReply(asReply(job, published, comment), { root: post, parent: post }, session, io)
      return { postId: (await createOnce(own, session, io)).uri }
    }),
  find: (job, published, comment, io) => {
    const { approvedAt } = asReply(job, published, comment)
    return findByContent({ ...job, ...comment, queuedAt: approvedAt }, Date.parse(job.queuedAt), io)
  },
}
