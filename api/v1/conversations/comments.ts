import { Refusal } from '../../../domain/core/errors.ts'
import { comment, commentStreamId, REFERENCES, type References } from '../../../domain/conversation/comment.ts'
import { isOpened, reply } from '../../../domain/conversation/reply.ts'
import { dismissComment } from '../../../commands/comment.ts'
import { claimForReply, draftOf } from '../../../commands/one-reply.ts'
import { editDraft, openReply, requestDraft } from '../../../commands/reply.ts'
import { findAccount } from '../../../projections/models/accounts.ts'
import { findComment, listComments, type CommentRow } from '../../../projections/models/comments.ts'
import { findPost, type PostRow } from '../../../projections/models/posts.ts'
import { repliesTo, type ReplyRow } from '../../../projections/models/replies.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { replyWhen } from '../../kit/await-reply.ts'
import { causeOf } from '../../http/cause.ts'
import { checkCommentsRoute } from './check-comments.ts'
import { commentSchema, commentsQuery, dismissBody, replyBody, replySchema } from './comment-schemas.ts'
import { asksApproval } from '../approvals/asks-approval.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { mustHave, mustKeepRules } from './reply-rules.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import { presentComment } from './present-comment.ts'

const TAG = 'Comments and replies'
/** api-spec §8, Recent-comments window. */
const WINDOW_MS = 7 * 86_400_000

/** Comments on accounts, and replies to them (api-spec §4, Comments and replies). */
export function commentRoutes(services: Services): readonly AnyRoute[] {
  const { db, clock, replyRulesOf } = services
  const decideComment = decider(services, comment)
  const decideReply = decider(services, reply)

  /** @throws Refusal not_found, forbidden, or invalid_request when the account is on another platform */
  const ownAccount = async (id: string, platform: Parameters<typeof replyRulesOf>[0], caller: Caller) => {
    const account = owned(await findAccount(db, id), caller, 'account')
    const rules = replyRulesOf(platform)
    if (!account.connected) throw new Refusal('failed_precondition', 'The account is no longer connected.')
    if (account.platform !== platform) {
      throw new Refusal('invalid_request', `platform: the account is on ${account.platform}`)
    }
    if (!rules) throw new Refusal('invalid_request', `platform: replies on ${platform} are not supported`)
    return { account, rules }
  }

  return [
    listRoute(services, {
      path: '/comments',
      operationId: 'listComments',
      summary: 'List comments and mentions of the last 7 days, newest first',
      description:
        'For all connected accounts on instagram, facebook, threads, youtube, linkedin and bluesky, and mentions ' +
        'on x. Each contains the fields that replyToComment requires.',
      tag: TAG,
      scope: 'comments:read',
      query: commentsQuery,
      plural: 'comments',
      item: commentSchema,
      fetch: async (page, { query: { runId, limit: _l, cursor: _c, ...filter }, caller }) => {
        const under = runId === undefined ? undefined : publishedAs(owned(await findPost(db, runId), caller, 'post'))
        return listComments(db, { ...page, ...filter, under, since: isoTime(under ? 0 : clock.now() - WINDOW_MS) })
      },
      present: presentComment,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    checkCommentsRoute(services),

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
        const { platform, accountId, commentId, text: commentText, directText, instruction = '', ifReplied } = body
        const { account, rules } = await ownAccount(accountId, platform, caller)
        const references = referencesOf(body)
        mustHave(rules, platform, references)
        if (directText !== undefined) mustKeepRules(rules, directText, 'directText')
        const stream = commentStreamId(accountId, commentId)
        const known = owned(await findComment(db, stream), caller, 'comment')
        const opened = {
          ...{ workspaceId: caller.workspaceId, platform, accountId, commentId, commentText, references },
          commentAuthor: known.author,
          source: 'api' as const,
        }
        const said = [account.automation.instruction, instruction].filter((part) => part.trim() !== '')
        const before = await repliesTo(db, accountId, commentId)
        if (directText !== undefined && ifReplied === 'refuse') mustBeUnanswered(known, before)
        const newId = resourceId('rep', request.work)
        const cause = causeOf(request, newId)
        let id = newId
        const awaitsApproval = directText !== undefined && (await asksApproval(services, caller, [accountId]))
        if (directText === undefined || awaitsApproval) {
          const instruction = said.join('\n')
          id = before.find(isInInbox)?.id ?? (await draftOf(services, stream, newId, cause))
          await decideReply(request, id, (state) => {
            if (directText !== undefined) {
              return isOpened(state)
                ? editDraft(state, directText, 'directText')
                : openReply(state, opened, { text: directText, awaitsApproval })
            }
            return isOpened(state)
              ? requestDraft(state, instruction)
              : openReply(state, opened, { instruction, automatic: false })
          })
        } else {
          await claimForReply(services, stream, id, cause)
          await decideReply(request, id, (state) => openReply(state, opened, { text: directText }))
        }
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
        return { status: 200, body: presentComment(owned(await findComment(db, id), request.caller, 'comment')) }
      },
    }),
  ]
}

function isInInbox({ status }: ReplyRow): boolean {
  return status === 'pending' || status === 'failed'
}

/** @throws Refusal failed_precondition naming the existing reply */
function mustBeUnanswered({ replied }: CommentRow, replies: readonly ReplyRow[]): void {
  const out = replies.find(({ status }) => status === 'sent' || status === 'sending')
  if (!replied && !out) return
  const which = out ? `${out.id}, “${out.draft}”` : 'one that was not sent by this service'
  throw new Refusal(
    'failed_precondition',
    `The comment already has a reply: ${which}. To send another, set ifReplied to send.`,
  )
}

function referencesOf(body: References): References {
  return Object.fromEntries(REFERENCES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}

/** A post and its further parts on each of its accounts. */
function publishedAs({ results }: PostRow) {
  return Object.values(results)
    .flat()
    .flatMap((result) => {
      const parts = result.parts ?? (result.ok ? [result] : [])
      return parts.map(({ postId }) => ({ accountId: result.accountId ?? '', postId }))
    })
}
