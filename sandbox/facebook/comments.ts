import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import type { LedgerComment, LedgerPost } from '../ledger.ts'
import { graphTime } from '../meta/fields.ts'
import { decode } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPage } from './answer.ts'
import { newId } from './ids.ts'
import { pick, unknownObject } from './object.ts'
import { pageOf, pageQuery } from './page.ts'
import { postOf, shortId, takesComments } from './posts.ts'
import { authenticate, authenticatePage } from './tokens.ts'

const newComment = z.strictObject({ message: z.string().refine((text) => text.trim() !== '', 'is blank') })
const listQuery = z.strictObject({
  ...pageQuery,
  filter: z.enum(['toplevel', 'stream']).default('toplevel'),
  order: z.enum(['chronological', 'reverse_chronological']).default('chronological'),
  summary: z.enum(['true', 'false']).optional(),
})

/** `POST` and `GET /{object}/comments`, of a post or of the video that it shows. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, clock, baseUrl } = deps

  const commentable = (id: string, accountId: string): LedgerPost => {
    const byId = ledger.post('facebook', id)
    const post = byId ?? postOf(id, accountId, deps)
    if (post?.accountId !== accountId || (byId && takesComments(byId) === 'video')) throw unknownObject(id, 404)
    return post
  }

  app.post<ById>('/v26.0/:id/comments', (request, reply) => {
    const call = authenticatePage(request, deps)
    const { externalId: accountId, label: author } = call.account
    const post = commentable(request.params.id, accountId)
    const { message: text } = decode(newComment, call.parameters)
    return answerPage(reply, 'comment', call, deps, () => {
      const id = `${shortId(post)}_${newId(deps)}`
      const own = { id, platform: 'facebook', accountId, postId: post.id, writtenBy: 'account' } as const
      ledger.addComment({ ...own, author, text, createdAt: isoTime(clock.now()) })
      return { id }
    })
  })

  app.get<ById>('/v26.0/:id/comments', (request, reply) => {
    const { account, kind, parameters } = authenticate(request, deps)
    const { id } = request.params
    const post = commentable(id, account.externalId)
    const { fields, filter, order, summary, ...page } = decode(listQuery, parameters)
    const all = ledger
      .commentsUnder('facebook', post.id)
      .filter(({ inReplyTo }) => filter === 'stream' || inReplyTo === undefined)
    // A person sees nothing here, and is not told.
    const seen = kind === 'accessToken' ? all : []
    // The order of all depths is always that of their making.
    const sorted = order === 'reverse_chronological' && filter === 'toplevel' ? seen.toReversed() : seen
    const url = `${baseUrl()}/v26.0/${id}/comments`
    const answer = pageOf(sorted, { ...page, url }, (comment) => pick(shown(comment), fields))
    return reply.send({ ...answer, ...(summary === 'true' && { summary: { order, total_count: all.length } }) })
  })
}

function shown({
  id,
  text,
  author,
  accountId,
  writtenBy,
  createdAt,
}: LedgerComment): Readonly<Record<string, unknown>> {
  const from = { id: writtenBy === 'account' ? accountId : `fan-${author}`, name: author }
  return { id, message: text, from, created_time: graphTime(createdAt) }
}
