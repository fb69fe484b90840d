import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Answer } from '../answer.ts'
import type { LedgerAccount, LedgerComment } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { number } from './identity.ts'
import { paged, pageQuery } from './paging.ts'
import { decode, refuse } from './refusal.ts'
import { callerOf, mayPost, mayRead, mustBe, mustBeEncoded, mustBePages } from './request.ts'
import { actorOf, commentUrn, partsOf, targetAt, topOf, type Target } from './thread.ts'

const RESOURCE = 'socialActions.comments.GET'
const TEXT_LIMIT = 1_250

const newComment = z.strictObject({
  actor: z.string(),
  object: z.string(),
  parentComment: z.string().optional(),
  message: z.strictObject({ text: z.string().min(1), attributes: z.array(z.unknown()).optional() }),
})
type NewComment = z.infer<typeof newComment>
interface OfTarget {
  readonly Params: { readonly urn: string }
}
interface OfComment {
  readonly Params: { readonly urn: string; readonly id: string }
}

/** `/rest/socialActions/{urn}/comments`: lists the comments on a post or the replies to a comment, and creates either. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, ids, clock } = deps

  app.get<OfTarget>('/rest/socialActions/:urn/comments', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    const page = decode(z.strictObject(pageQuery), request.query)
    const { postId, comment } = readable(request.params.urn, caller, deps)
    const all = ledger.commentsUnder('linkedin', postId).filter(({ inReplyTo }) => inReplyTo === comment?.id)
    return reply.send(paged(all, page, '/rest/socialActions/comments', (each) => shown(each, deps)))
  })

  app.get<OfComment>('/rest/socialActions/:urn/comments/:id', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    const { urn, id } = request.params
    const comment = ledger.comment('linkedin', commentUrn(readable(urn, caller, deps).activity, id))
    if (!comment) throw refuse(404, 'NOT_FOUND', `Could not find entity ${id}`)
    return reply.send(shown(comment, deps))
  })

  const commit = ({ actor, message }: NewComment, target: Target, caller: LedgerAccount): Answer => {
    const id = number(ids.token())
    const comment: LedgerComment = {
      id: commentUrn(target.activity, id),
      platform: 'linkedin',
      accountId: actor,
      ...(target.postId !== undefined && { postId: target.postId }),
      ...(target.comment && { inReplyTo: topOf(target.comment) }),
      writtenBy: 'account',
      author: caller.label,
      text: message.text.trim(),
      createdAt: isoTime(clock.now()),
    }
    ledger.addComment(comment)
    return { status: 201, headers: { 'x-restli-id': id }, body: shown(comment, deps) }
  }

  app.post<OfTarget>('/rest/socialActions/:urn/comments', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    const given = decode(newComment, request.body)
    mayPost(caller, given.actor, 'actor', deps)
    const target = there(request.params.urn, deps)
    mustFit(given, target, deps)
    return answer(reply, 'reply', caller, deps, () => commit(given, target, caller))
  })
}

/** @throws StandInRefusal 404 */
function there(urn: string, deps: StandInDeps): Target {
  const target = targetAt(urn, deps)
  if (target) return target
  throw refuse(404, 'NOT_FOUND', `Could not find entity ${urn}`)
}

/**
 * A page may read what is under its own posts.
 *
 * @throws StandInRefusal 403 or 404
 */
function readable(urn: string, caller: LedgerAccount, deps: StandInDeps): Target & { readonly postId: string } {
  mayRead(caller, RESOURCE)
  const target = there(urn, deps)
  const { postId } = target
  const owner = postId === undefined ? undefined : deps.ledger.post('linkedin', postId)?.accountId
  if (postId === undefined || owner === undefined) {
    throw refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${RESOURCE}.20260901`)
  }
  mustBe(caller, owner, 'entity', deps)
  mustBePages(owner, RESOURCE)
  return { ...target, postId }
}

/** @throws StandInRefusal 400 when the object is another post, the parent is not top-level, or the text is too long */
function mustFit({ object, parentComment, message }: NewComment, target: Target, deps: StandInDeps): void {
  const post = targetAt(object, deps)
  if (post?.activity !== target.activity || partsOf(object)) {
    throw refuse(400, 'INVALID_URN_ID', `ERROR :: /object :: ${object}`)
  }
  const top = target.comment && partsOf(topOf(target.comment))
  const parent = parentComment === undefined ? undefined : partsOf(parentComment)
  if (parentComment !== undefined && !parent) throw refuse(400, 'INVALID_URN_TYPE', 'ERROR :: /parentComment')
  if (parent?.id !== top?.id || parent?.activity !== top?.activity) {
    throw refuse(400, 'INVALID_URN_ID', 'ERROR :: /parentComment :: is not the first comment of the thread')
  }
  if (message.text.length > TEXT_LIMIT) {
    throw refuse(400, 'FIELD_LENGTH_TOO_LONG', `ERROR :: /message/text :: length is over ${TEXT_LIMIT}`)
  }
}

function shown(comment: LedgerComment, { ledger }: StandInDeps): object {
  const { activity = '', id = '' } = partsOf(comment.id) ?? {}
  const actor = actorOf(comment)
  const time = Date.parse(comment.createdAt)
  const under = comment.postId === undefined ? [] : ledger.commentsUnder('linkedin', comment.postId)
  const replies = under.filter(({ inReplyTo }) => inReplyTo === comment.id).length
  return {
    id,
    $URN: comment.id,
    commentUrn: comment.id,
    actor,
    object: activity,
    message: { attributes: [], text: comment.text },
    created: { time, actor },
    lastModified: { time, actor },
    ...(comment.inReplyTo !== undefined && partsOf(comment.inReplyTo) && { parentComment: comment.inReplyTo }),
    likesSummary: { totalLikes: 0, aggregatedTotalLikes: 0, likedByCurrentUser: false, selectedLikes: [] },
    commentsSummary: { totalFirstLevelComments: replies, aggregatedTotalComments: replies, selectedComments: [] },
  }
}
