import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import { graphTime, pick } from '../meta/fields.ts'
import { decode, GraphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { COMMENT, newId } from './ids.ts'
import { pageOf } from './page.ts'
import { authenticate, type Caller } from './tokens.ts'
import { unknownObject } from './unknown.ts'

const newComment = z.strictObject({
  message: z.string().refine((text) => text.trim() !== '', 'is blank'),
  fields: z.string().optional(),
})
const listQuery = z.strictObject({
  fields: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(50).default(50),
  after: z.string().optional(),
})

/** `POST` and `GET /{media}/comments`, the latter newest first and without replies. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, ids, clock, baseUrl } = deps
  const ownPost = ({ account }: Caller, id: string): LedgerPost => {
    const post = ledger.post('instagram', id)
    if (post?.accountId !== account.externalId) throw unknownObject(id)
    return post
  }

  app.post<ById>('/v26.0/:id/comments', (request, reply) => {
    const caller = authenticate(request, deps)
    const { account } = caller
    const post = ownPost(caller, request.params.id)
    const { message, fields } = decode(newComment, caller.parameters)
    return answer(reply, 'comment', caller, deps, () => {
      const comment: LedgerComment = {
        id: newId(COMMENT, ids),
        platform: 'instagram',
        accountId: account.externalId,
        postId: post.id,
        writtenBy: 'account',
        author: account.label,
        text: message,
        createdAt: isoTime(clock.now()),
      }
      ledger.addComment(comment)
      if (fields === undefined) return { id: comment.id }
      throw new GraphRefusal({ code: 20, subcode: 1772107, message: 'The response can not be made with these fields' })
    })
  })

  app.get<ById>('/v26.0/:id/comments', (request, reply) => {
    const caller = authenticate(request, deps)
    const { id } = ownPost(caller, request.params.id)
    const { fields, limit, after } = decode(listQuery, caller.parameters)
    const top = ledger.commentsUnder('instagram', id).filter(({ inReplyTo }) => inReplyTo === undefined)
    const url = `${baseUrl()}/v26.0/${id}/comments`
    const page = pageOf(top.toReversed(), { after, limit, url }, (comment) =>
      pick(shown(comment, caller.account), fields),
    )
    return reply.send(page)
  })
}

function shown(
  { id, text, author, writtenBy, createdAt }: LedgerComment,
  account: LedgerAccount,
): Readonly<Record<string, unknown>> {
  const from = { ...(writtenBy === 'account' && { id: account.externalId }), username: author }
  return { id, text, username: author, from, timestamp: graphTime(createdAt) }
}
