import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount, LedgerComment, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { addReply, addThread, commentResource, TEXT_FORMATS, threadResource } from './comment.ts'
import { notWithId, pageOf, paging } from './page.ts'
import { listed, listing, only, parts } from './parts.ts'
import { decodeQuery } from './query.ts'
import { decode, googleRefusal, refusalFor } from './refusal.ts'
import { scriptIn } from './script.ts'
import { authenticateToManage } from './tokens.ts'
import { hasComments } from './video.ts'

/** Characters. Google documents that there is a limit, but not which. */
const LONGEST = 10_000

const textFormat = z.enum(TEXT_FORMATS).default('html')
const THREAD_FILTERS = ['allThreadsRelatedToChannelId', 'videoId', 'id'] as const
const threadsQuery = z
  .strictObject({
    part: parts(['id', 'snippet', 'replies']),
    id: listed.optional(),
    allThreadsRelatedToChannelId: z.string().min(1).optional(),
    videoId: z.string().min(1).optional(),
    order: z.enum(['time', 'relevance']).default('time'),
    textFormat,
    ...paging,
  })
  .refine(...notWithId)
type ThreadsQuery = z.infer<typeof threadsQuery>

const COMMENT_FILTERS = ['parentId', 'id'] as const
const commentsQuery = z
  .strictObject({
    part: parts(['id', 'snippet']),
    parentId: z.string().min(1).optional(),
    id: listed.optional(),
    textFormat,
    ...paging,
  })
  .refine(...notWithId)
type CommentsQuery = z.infer<typeof commentsQuery>

const replyQuery = z.strictObject({ part: parts(['id', 'snippet']) })
const replyBody = z.strictObject({
  snippet: z.strictObject({
    parentId: z.string().min(1),
    textOriginal: z.string().refine((text) => text.trim() !== '', 'a comment cannot be empty'),
  }),
})
const REASONS = { 'snippet.parentId': 'parentIdMissing', 'snippet.textOriginal': 'commentTextRequired' }

const threadQuery = z.strictObject({ part: parts(['id', 'snippet', 'replies']) })
const threadBody = z.strictObject({
  snippet: z.strictObject({
    channelId: z.string().min(1),
    videoId: z.string().min(1),
    topLevelComment: z.strictObject({ snippet: replyBody.shape.snippet.pick({ textOriginal: true }) }),
  }),
})
const THREAD_REASONS = {
  'snippet.channelId': 'channelOrVideoIdMissing',
  'snippet.videoId': 'channelOrVideoIdMissing',
  'snippet.topLevelComment.snippet.textOriginal': 'commentTextRequired',
}

/** Threads under a channel's videos and on its page, the replies in one, and commenting and replying. */
export function registerComments(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/youtube/v3/commentThreads', (request, reply) => {
    const caller = authenticateToManage(request.headers.authorization, deps)
    const query = decodeQuery(threadsQuery, request.query, THREAD_FILTERS)
    const { items, ...page } = pageOf(threadsOf(query, deps), query)
    const resources = items.map((top) =>
      only(threadResource(top, repliesTo(top, deps), caller, query.textFormat), query.part),
    )
    return reply.send(listing('youtube#commentThreadListResponse', resources, page))
  })

  app.post('/youtube/v3/commentThreads', (request, reply) => {
    const account = authenticateToManage(request.headers.authorization, deps)
    const { part } = decodeQuery(threadQuery, request.query)
    const { snippet } = decode(threadBody, request.body, THREAD_REASONS, 'invalidCommentThreadMetadata')
    const { textOriginal } = snippet.topLevelComment.snippet
    if (textOriginal.length > LONGEST) throw refusalFor('commentTextTooLong')
    const video = commentable(snippet, account, deps)
    return answer(reply, 'reply', account, deps, () => {
      const comment = addThread(account, video, textOriginal, deps)
      return { status: 200, body: only(threadResource(comment, [], account, 'html'), part) }
    })
  })

  app.get('/youtube/v3/comments', (request, reply) => {
    const caller = authenticateToManage(request.headers.authorization, deps)
    const query = decodeQuery(commentsQuery, request.query, COMMENT_FILTERS)
    const { items, ...page } = pageOf(commentsOf(query, deps), query)
    const resources = items.map((each) => only(commentResource(each, caller, query.textFormat), query.part))
    return reply.send(listing('youtube#commentListResponse', resources, page))
  })

  app.post('/youtube/v3/comments', (request, reply) => {
    const account = authenticateToManage(request.headers.authorization, deps)
    const { part } = decodeQuery(replyQuery, request.query)
    const { snippet } = decode(replyBody, request.body, REASONS, 'invalidCommentMetadata')
    if (snippet.textOriginal.length > LONGEST) throw refusalFor('commentTextTooLong')
    const parent = parentOf(snippet.parentId, account, deps)
    return answer(reply, 'reply', account, deps, () => ({
      status: 200,
      body: only(commentResource(addReply(account, parent, snippet.textOriginal, deps), account, 'html'), part),
    }))
  })
}

/** @throws StandInRefusal. The sandbox takes comments on videos of the account alone. */
function commentable(
  { channelId, videoId }: { readonly channelId: string; readonly videoId: string },
  { externalId }: LedgerAccount,
  { ledger }: StandInDeps,
): LedgerPost {
  const video = ledger.post('youtube', videoId)
  if (video?.accountId !== externalId) throw refusalFor('videoNotFound')
  if (channelId !== externalId) throw refusalFor('channelNotFound')
  if (!hasComments(video)) throw refusalFor('commentsDisabled')
  return video
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

/** The comments that started threads: newest first, or those with the most replies. */
function threadsOf(query: ThreadsQuery, deps: StandInDeps): readonly LedgerComment[] {
  if (query.id) return query.id.flatMap((id) => topComment(id, deps) ?? [])
  const newestFirst = inOrder(startedBy(query, deps)).toReversed()
  if (query.order === 'time') return newestFirst
  return newestFirst.toSorted((one, other) => repliesTo(other, deps).length - repliesTo(one, deps).length)
}

function startedBy(
  { allThreadsRelatedToChannelId: channelId, videoId = '' }: ThreadsQuery,
  { ledger }: StandInDeps,
): readonly LedgerComment[] {
  if (channelId === undefined) {
    if (!ledger.post('youtube', videoId)) throw googleRefusal(404, 'videoNotFound', 'The video could not be found.')
    return ledger.commentsUnder('youtube', videoId).filter((each) => isOpen(each, ledger))
  }
  if (!ledger.account('youtube', channelId)) {
    throw googleRefusal(404, 'channelNotFound', 'The specified channel could not be found.')
  }
  return ledger.commentsOf('youtube', channelId).filter((each) => isOpen(each, ledger))
}

/** By id, or the replies to one. */
function commentsOf({ id: ids, parentId = '' }: CommentsQuery, deps: StandInDeps): readonly LedgerComment[] {
  if (ids) {
    const found = ids.flatMap((id) => deps.ledger.comment('youtube', id) ?? [])
    return found.filter(({ id, inReplyTo = id }) => topComment(inReplyTo, deps) !== undefined)
  }
  const top = topComment(parentId, deps)
  if (!top) throw googleRefusal(404, 'commentNotFound', 'The specified comment could not be found.')
  return repliesTo(top, deps)
}

/** Oldest first. */
function repliesTo({ accountId, id }: LedgerComment, { ledger }: StandInDeps): readonly LedgerComment[] {
  return inOrder(ledger.commentsOf('youtube', accountId).filter(({ inReplyTo }) => inReplyTo === id))
}

function inOrder(comments: readonly LedgerComment[]): readonly LedgerComment[] {
  return comments.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
}
