import { comment, commentStreamId, REFERENCES, type References } from '../../../domain/conversation/comment.ts'
import { dismissComment } from '../../../commands/comment.ts'
import { findAccount } from '../../../projections/models/accounts.ts'
import { findComment, listComments } from '../../../projections/models/comments.ts'
import { findPost } from '../../../projections/models/posts.ts'
import { publishedParts } from '../../../domain/post/publish-results.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { replyWhen } from '../../kit/await-reply.ts'
import { assignCommentRoute } from './assign-comment.ts'
import { assignedTo } from './assignees.ts'
import { checkCommentsRoute } from './check-comments.ts'
import { commentSchema, commentsQuery, dismissBody, replyBody, replySchema } from './comment-schemas.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { answers } from './answers.ts'
import { oneCommentRoutes } from './one-comment.ts'
import { mustHave, mustKeepRules } from './reply-rules.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import { presentComment, withContext } from './present-comment.ts'

const TAG = 'Comments and replies'
/** api-spec §8, Recent-comments window. */
const WINDOW_MS = 7 * 86_400_000

/** Comments on accounts, and replies to them (api-spec §4, Comments and replies). */
export function commentRoutes(services: Services): readonly AnyRoute[] {
  const { db, clock } = services
  const decideComment = decider(services, comment)
  const { ownAccount, answer } = answers(services)

  return [
    listRoute(services, {
      path: '/comments',
      operationId: 'listComments',
      summary: 'List comments and mentions of the last 7 days, newest first',
      description:
        'For all connected accounts on instagram, facebook, threads, youtube, linkedin and bluesky, and mentions ' +
        'on x. Each contains the fields that replyToComment requires, the reply to it that was drafted or sent, and the post that ' +
        'it is under.',
      tag: TAG,
      scope: 'comments:read',
      query: commentsQuery,
      plural: 'comments',
      item: commentSchema,
      fetch: async (page, { query: { runId, assignee, limit: _l, cursor: _c, ...filter }, caller }) => {
        const of = runId === undefined ? undefined : owned(await findPost(db, runId), caller, 'post')
        const under = of && publishedParts(of.results)
        // However old the comment is, its draft waits for somebody.
        const isWindow = !under && filter.state !== 'draft_ready'
        const whose = await assignedTo(db, assignee, caller)
        const since = isoTime(isWindow ? clock.now() - WINDOW_MS : 0)
        return withContext(db, page.workspaceId, await listComments(db, { ...page, ...filter, ...whose, under, since }))
      },
      present: presentComment,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    checkCommentsRoute(services),
    assignCommentRoute(services),
    ...oneCommentRoutes(services),

    route({
      method: 'POST',
      path: '/comments/reply',
      operationId: 'replyToComment',
      summary: 'Reply to a comment, or have the AI draft a reply for review',
      description:
        'With directText, this exact text is published immediately, or waits in listPendingReplies if it needs approval. Without it, the AI writes a draft, which ' +
        'waits in listPendingReplies until approveReply sends it. A comment has one open draft; asking again ' +
        'returns it. Copy all other fields from listComments.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'comments:write',
      body: replyBody,
      agentDefaults: { ifReplied: 'refuse' },
      idempotent: true,
      answer: {
        status: 200,
        description: 'The reply. Drafting or sending may still be in progress.',
        schema: replySchema,
      },
      handle: async (request) => {
        const { body, caller } = request
        const { platform, accountId, commentId, text: commentText, directText } = body
        const { account, rules } = await ownAccount(accountId, platform, caller)
        const references = referencesOf(body)
        mustHave(rules, platform, references)
        if (directText !== undefined) mustKeepRules(rules, directText, 'directText')
        const known = owned(await findComment(db, commentStreamId(accountId, commentId)), caller, 'comment')
        const id = await answer(request, { account, comment: known, commentText, references }, body)
        const row = await replyWhen(services, id, ({ status, drafting }) => status !== 'sending' && !drafting)
        return { status: 200, body: shown(replySchema, row) }
      },
    }),

    route({
      method: 'POST',
      path: '/comments/dismiss',
      operationId: 'dismissComment',
      summary: 'Mark a comment as handled without replying',
      description: 'Nothing is sent or deleted on the platform.',
      effect: 'overwrites',
      tag: TAG,
      scope: 'comments:write',
      body: dismissBody,
      answer: { status: 200, description: 'The comment.', schema: commentSchema },
      handle: async (request) => {
        const { accountId, commentId, platform } = request.body
        owned(await findAccount(db, accountId), request.caller, 'account')
        const id = commentStreamId(accountId, commentId)
        await decideComment(request, id, (state) => dismissComment(state, { ...request.caller, platform }))
        const row = owned(await findComment(db, id), request.caller, 'comment')
        const [whole = row] = await withContext(db, row.workspaceId, [row])
        return { status: 200, body: presentComment(whole) }
      },
    }),
  ]
}

function referencesOf(body: References): References {
  return Object.fromEntries(REFERENCES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}
