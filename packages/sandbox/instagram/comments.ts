import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerComment, LedgerPost } from '../ledger.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { commentList, isHidden, repliesTo } from './comment-list.ts'
import { COMMENT, newId } from './ids.ts'
import { authenticate, type Caller } from './tokens.ts'

const newComment = z.strictObject({
  message: z.string().refine((text) => text.trim() !== '', 'is blank'),
  fields: z.string().optional(),
})

/** `POST` and `GET /{media}/comments`, the latter newest first, and `/{comment}/replies`, oldest first. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, ids, clock } = deps
  const ownPost = ({ account }: Caller, id: string): LedgerPost => {
    const post = ledger.post('instagram', id)
    if (post?.accountId !== account.externalId) throw unknownObject(id)
    return post
  }
  const ownComment = ({ account }: Caller, id: string): LedgerComment => {
    const comment = ledger.comment('instagram', id)
    // Instagram reports mentions elsewhere by webhook only.
    if (comment?.accountId !== account.externalId || comment.postId === undefined) throw unknownObject(id)
    return comment
  }
  /** @throws StandInRefusal when fields are requested, though the comment is created */
  const make = (
    { account, parameters }: Caller,
    under: Pick<LedgerComment, 'postId' | 'inReplyTo'>,
  ): { readonly id: string } => {
    const { message: text, fields } = decode(newComment, parameters)
    const { externalId: accountId, label: author } = account
    const id = newId(COMMENT, ids)
    const own = { id, platform: 'instagram', accountId, writtenBy: 'account', author, text } as const
    ledger.addComment({ ...own, ...under, createdAt: isoTime(clock.now()) })
    if (fields === undefined) return { id }
    throw graphRefusal({ code: 20, subcode: 1772107, message: 'The response cannot be made with these fields' })
  }

  app.post<ById>('/v26.0/:id/comments', (request, reply) => {
    const caller = authenticate(request, deps)
    const { id: postId } = ownPost(caller, request.params.id)
    decode(newComment, caller.parameters)
    return answer(reply, 'comment', caller, deps, () => make(caller, { postId }))
  })

  app.post<ById>('/v26.0/:id/replies', (request, reply) => {
    const caller = authenticate(request, deps)
    const comment = ownComment(caller, request.params.id)
    decode(newComment, caller.parameters)
    if (comment.inReplyTo !== undefined) {
      throw graphRefusal({ code: 100, message: '(#100) Only top-level comments can be replied to' })
    }
    if (isHidden(comment)) throw graphRefusal({ code: 100, message: '(#100) The comment is hidden' })
    const { id: inReplyTo, postId } = comment
    return answer(reply, 'reply', caller, deps, () =>
      make(caller, { inReplyTo, ...(postId !== undefined && { postId }) }),
    )
  })

  app.get<ById>('/v26.0/:id/comments', (request, reply) => {
    const caller = authenticate(request, deps)
    const { id } = ownPost(caller, request.params.id)
    const top = ledger.commentsUnder('instagram', id).filter(({ inReplyTo }) => inReplyTo === undefined)
    return reply.send(commentList(top.toReversed(), `${id}/comments`, caller.parameters, deps))
  })

  app.get<ById>('/v26.0/:id/replies', (request, reply) => {
    const caller = authenticate(request, deps)
    const comment = ownComment(caller, request.params.id)
    return reply.send(commentList(repliesTo(comment, deps), `${comment.id}/replies`, caller.parameters, deps))
  })
}
