import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount, LedgerComment } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { addReply, commentResource, TEXT_FORMATS, threadResource } from './comment.ts'
import { pageOf, paging } from './page.ts'
import { only, parts } from './parts.ts'
import { decode, googleRefusal, refusalFor } from './refusal.ts'
import { scriptIn } from './script.ts'
import { authenticateToManage } from './tokens.ts'

/** Characters. Google documents that there is a limit, but not which. */
const LONGEST = 10_000

const textFormat = z.enum(TEXT_FORMATS).default('html')
const threadsQuery = z.union([
  z.strictObject({ part: parts(['id', 'snippet', 'replies']), id: z.string().min(1), textFormat }),
  z.strictObject({
    part: parts(['id', 'snippet', 'replies']),
    allThreadsRelatedToChannelId: z.string().min(1),
    order: z.literal('time').default('time'),
    textFormat,
    ...paging,
  }),
])
const repliesQuery = z.strictObject({
  part: parts(['id', 'snippet']),
  parentId: z.string().min(1),
  textFormat,
  ...paging,
})
const replyQuery = z.strictObject({ part: z.literal('snippet') })
const replyBody = z.strictObject({
  snippet: z.strictObject({
    parentId: z.string().min(1),
    textOriginal: z.string().refine((text) => text.trim() !== '', 'a comment cannot be empty'),
  }),
})
const REASONS = { 'snippet.parentId': 'parentIdMissing', 'snippet.textOriginal': 'commentTextRequired' }

/** Threads under a channel's videos and on its page, the replies in one, and replying. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/youtube/v3/commentThreads', (request, reply) => {
    const caller = authenticateToManage(request.headers.authorization, deps)
    const query = decode(threadsQuery, request.query)
    const { items, next } = 'id' in query ? threadsOfIds(query.id, deps) : pageOf(threadsOf(query, deps), query)
    const resources = items.map((top) =>
      only(threadResource(top, repliesTo(top, deps), caller, query.textFormat), ['kind', 'id', ...query.part]),
    )
    return reply.send({ kind: 'youtube#commentThreadListResponse', items: resources, ...next })
  })

  app.get('/youtube/v3/comments', (request, reply) => {
    const caller = authenticateToManage(request.headers.authorization, deps)
    const { parentId, part, ...query } = decode(repliesQuery, request.query)
    const top = topComment(parentId, deps)
    if (!top) throw googleRefusal(404, 'commentNotFound', 'The specified comment could not be found.')
    const { items, next } = pageOf(repliesTo(top, deps), query)
    const resources = items.map((each) =>
      only(commentResource(each, caller, query.textFormat), ['kind', 'id', ...part]),
    )
    return reply.send({ kind: 'youtube#commentListResponse', items: resources, ...next })
  })

  app.post('/youtube/v3/comments', (request, reply) => {
    const account = authenticateToManage(request.headers.authorization, deps)
    decode(replyQuery, request.query)
    const { snippet } = decode(replyBody, request.body, REASONS, 'invalidCommentMetadata')
    if (snippet.textOriginal.length > LONGEST) throw refusalFor('commentTextTooLong')
    const parent = parentOf(snippet.parentId, account, deps)
    return answer(reply, 'reply', account, deps, () => ({
      status: 200,
      body: commentResource(addReply(account, parent, snippet.textOriginal, deps), account, 'html'),
    }))
  })
}

function parentOf(id: string, { externalId }: LedgerAccount, deps: StandInDeps): LedgerComment {
  const parent = topComment(id, deps)
  if (parent?.accountId !== externalId) {
    throw googleRefusal(404, 'parentCommentNotFound', 'The specified parent comment could not be found.')
  }
  const { refuse } = scriptIn(parent.text)
  if (refuse !== undefined) throw refusalFor(refuse)
  return parent
}

/** A comment that started a thread, as long as its video exists. */
function topComment(id: string, { ledger }: StandInDeps): LedgerComment | undefined {
  const comment = ledger.comment('youtube', id)
  return comment && isOpen(comment, ledger) ? comment : undefined
}

function isOpen({ inReplyTo, postId }: LedgerComment, ledger: StandInDeps['ledger']): boolean {
  return inReplyTo === undefined && (postId === undefined || ledger.post('youtube', postId) !== undefined)
}

function threadsOfIds(
  ids: string,
  deps: StandInDeps,
): { readonly items: readonly LedgerComment[]; readonly next: object } {
  return { items: ids.split(',').flatMap((id) => topComment(id, deps) ?? []), next: {} }
}

/** Newest first. */
function threadsOf(
  { allThreadsRelatedToChannelId: channelId }: { readonly allThreadsRelatedToChannelId: string },
  { ledger }: StandInDeps,
): readonly LedgerComment[] {
  if (!ledger.account('youtube', channelId)) {
    throw googleRefusal(404, 'channelNotFound', 'The specified channel could not be found.')
  }
  return inOrder(ledger.commentsOf('youtube', channelId).filter((each) => isOpen(each, ledger))).toReversed()
}

/** Oldest first. */
function repliesTo({ accountId, id }: LedgerComment, { ledger }: StandInDeps): readonly LedgerComment[] {
  return inOrder(ledger.commentsOf('youtube', accountId).filter(({ inReplyTo }) => inReplyTo === id))
}

function inOrder(comments: readonly LedgerComment[]): readonly LedgerComment[] {
  return comments.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
}
