import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { PlatformKey } from '../../domain/platform.ts'
import { isoTime } from '../../system/clock.ts'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import { decode, SandboxRefusal } from '../refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './call.ts'
import { name, text, type ById } from './fields.ts'
import { authenticate } from './tokens.ts'

const newComment = z.strictObject({
  clientToken: name,
  text: text.refine((value) => value.trim() !== '', 'is blank'),
  inReplyTo: name.optional(),
})
const search = z.strictObject({ clientToken: name.optional() })

/** `POST /posts/{id}/comments` (a reply when it says `inReplyTo`) and `GET /posts/{id}/comments[?clientToken=]`. */
export function registerComments(app: FastifyInstance, platform: PlatformKey, deps: StandInDeps): void {
  const { ledger, ids, clock } = deps

  const ownPost = (account: LedgerAccount, id: string): LedgerPost => {
    const post = ledger.post(platform, id)
    if (post?.accountId !== account.externalId) {
      throw new SandboxRefusal(404, 'not_found', 'no such post of this account')
    }
    return post
  }

  app.post<ById>('/posts/:id/comments', (request, reply) => {
    const account = authenticate(platform, request.headers.authorization, deps)
    const post = ownPost(account, request.params.id)
    const given = decode(newComment, request.body)
    const inReplyTo = given.inReplyTo === undefined ? {} : { inReplyTo: given.inReplyTo }
    if (given.inReplyTo !== undefined && ledger.comment(platform, given.inReplyTo)?.postId !== post.id) {
      throw new SandboxRefusal(400, 'unknown_comment', 'inReplyTo: no such comment under this post')
    }
    return answer(reply, given.inReplyTo === undefined ? 'comment' : 'reply', account, deps, () => {
      const comment: LedgerComment = {
        id: ids.token(),
        platform,
        accountId: account.externalId,
        postId: post.id,
        ...inReplyTo,
        token: given.clientToken,
        writtenBy: 'account',
        author: account.label,
        text: given.text,
        createdAt: isoTime(clock.now()),
      }
      ledger.addComment(comment)
      return { status: 201, body: { id: comment.id } }
    })
  })

  app.get<ById>('/posts/:id/comments', (request, reply) => {
    const account = authenticate(platform, request.headers.authorization, deps)
    const post = ownPost(account, request.params.id)
    const { clientToken } = decode(search, request.query, 'query')
    const comments = ledger.commentsUnder(platform, post.id, clientToken)
    return reply.send({
      comments: comments.map(({ id, inReplyTo, writtenBy, author, text, createdAt }) => ({
        id,
        inReplyTo,
        writtenBy,
        author,
        text,
        createdAt,
      })),
    })
  })
}
