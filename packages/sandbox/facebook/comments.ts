import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerComment, LedgerPost } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import { pageOf } from '../meta/page.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { commentList, isMention, shownComment, underComment, underPost } from './comment-list.ts'
import { newId } from './ids.ts'
import { listUrl, pageQuery } from './page-query.ts'
import { postOf, shortId, takesComments } from './posts.ts'
import { authenticate, authenticateOwner, authenticatePage } from './tokens.ts'

const newComment = z.strictObject({
  message: z.string().refine((text) => text.trim() !== '', 'is blank'),
  /** Of what it comments on, which Meta's own client repeats here. */
  id: z.string().optional(),
})
const taggedQuery = z.strictObject(pageQuery)

/** Comments under a post, the video that it shows, or a comment; and `GET /{page}/tagged`. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, clock } = deps

  const commentable = (id: string, accountId: string): LedgerPost => {
    const byId = ledger.post('facebook', id)
    const post = byId ?? postOf(id, accountId, deps)
    if (post?.accountId !== accountId || (byId && takesComments(byId) === 'video')) throw unknownObject(id, 404)
    return post
  }
  const commentOf = (id: string, accountId: string): LedgerComment | undefined => {
    const comment = ledger.comment('facebook', id)
    return comment?.accountId === accountId ? comment : undefined
  }

  app.post<ById>('/v26.0/:id/comments', (request, reply) => {
    const call = authenticatePage(request, deps)
    const { externalId: accountId, label: author } = call.account
    const { id: target } = request.params
    const answered = commentOf(target, accountId)
    const post = answered ? undefined : commentable(target, accountId)
    const { message: text } = decode(newComment, call.parameters)
    if (answered?.inReplyTo !== undefined) {
      throw graphRefusal({ code: 100, message: '(#100) A reply cannot be replied to' })
    }
    return answerPage(reply, answered ? 'reply' : 'comment', call, deps, () => {
      const prefix = answered ? answered.id.slice(0, answered.id.indexOf('_')) : post && shortId(post)
      const postId = answered ? answered.postId : post?.id
      const comment: LedgerComment = {
        id: `${prefix}_${newId(deps)}`,
        ...{ platform: 'facebook', accountId, writtenBy: 'account', author, text },
        ...(postId !== undefined && { postId }),
        ...(answered && { inReplyTo: answered.id }),
        createdAt: isoTime(clock.now()),
      }
      ledger.addComment(comment)
      return { id: comment.id }
    })
  })

  app.get<ById>('/v26.0/:id/comments', (request, reply) => {
    const call = authenticate(request, deps)
    const { id } = request.params
    const comment = commentOf(id, call.account.externalId)
    const commented = comment
      ? underComment(comment, deps)
      : underPost(id, ledger.commentsUnder('facebook', commentable(id, call.account.externalId).id))
    return reply.send(commentList(commented, call, call.parameters, deps))
  })

  app.get<ById>('/v26.0/:id/tagged', (request, reply) => {
    const call = authenticateOwner(request, deps)
    const { externalId } = call.account
    const { fields, ...page } = decode(taggedQuery, call.parameters)
    const tagged = ledger.commentsOf('facebook', externalId).filter(isMention).toReversed()
    const url = listUrl(`${externalId}/tagged`, call, deps)
    return reply.send(pageOf(tagged, { ...page, url }, (post) => pick(shownComment(post, call, deps), fields)))
  })
}
