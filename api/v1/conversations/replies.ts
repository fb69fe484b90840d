import * as z from 'zod'
import { commentStreamId } from '../../../domain/conversation/comment.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { reply, type ReplyState } from '../../../domain/conversation/reply.ts'
import type { ReplyEvent } from '../../../domain/conversation/reply-events.ts'
import { text } from '../../../domain/core/text.ts'
import { load } from '../../../commands/handle.ts'
import { claimForDraft, isUndecided } from '../../../commands/one-reply.ts'
import { approveReply, editDraft, regenerateDraft, rejectReply } from '../../../commands/reply.ts'
import { findAccount } from '../../../projections/models/accounts.ts'
import { findReply, listReplies, replies, repliesTo, type ReplyRow } from '../../../projections/models/replies.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { replyWhen } from '../../kit/await-reply.ts'
import { causeOf } from '../../http/cause.ts'
import { approveBody, editBody, regenerateBody, repliesQuery, replySchema } from './comment-schemas.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { asksApproval } from '../approvals/asks-approval.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { mustKeepRules } from './reply-rules.ts'
import { route, type AnyRoute, type Caller, type RouteRequest } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { withinBudgets } from '../../kit/within-budgets.ts'
import { shown } from '../../kit/shown.ts'

const TAG = 'Comments and replies'
const LIST = '/replies/pending'
const ONE = `${LIST}/{id}`
const params = z.object({ id: text(100) })

/** The review inbox (api-spec §3, Pending reply; decisions, "Replies and comments"). */
export function replyRoutes(services: Services): readonly AnyRoute[] {
  const { db, replyRulesOf } = services
  const decide = decider(services, reply)
  const own = async (id: string, caller: Caller): Promise<ReplyRow> => owned(await findReply(db, id), caller, 'reply')
  const change = async (
    request: RouteRequest<{ id: string }, unknown, unknown>,
    decision: (state: ReplyState) => readonly ReplyEvent[],
    isDone: (row: ReplyRow) => boolean = () => true,
  ) => {
    const { id } = request.params
    await decide(request, id, decision)
    return { status: 200, body: shown(replySchema, await replyWhen(services, id, isDone)) }
  }
  const mustFit = (row: ReplyRow, text: string | undefined, field: string) => {
    const rules = replyRulesOf(row.platform)
    if (rules && text !== undefined) mustKeepRules(rules, text, field)
  }

  /** For replies that predate claims on comments. @throws Refusal failed_precondition */
  const mustBeOnlyReply = async ({ id, accountId, commentId, createdAt }: ReplyRow) => {
    const others = await repliesTo(db, accountId, commentId)
    const out = others.find((one) => one.id !== id && one.status === 'sent' && (one.sentAt ?? '') > createdAt)
    if (out) throw new Refusal('failed_precondition', `The comment already has a reply: ${out.id}.`)
  }

  return [
    listRoute(services, {
      path: LIST,
      operationId: 'listPendingReplies',
      summary: 'List the replies in the review inbox, newest first',
      description: 'Drafts that await approval, replies that are being sent, and replies that failed.',
      tag: TAG,
      scope: 'comments:read',
      query: repliesQuery,
      plural: 'replies',
      item: replySchema,
      fetch: (page, { query: { status: statuses } }) => listReplies(db, { ...page, statuses }),
      present: (row) => shown(replySchema, row),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: ONE,
      operationId: 'getReply',
      summary: 'Get one reply, even after it was sent or rejected',
      description:
        'Its status is pending until it is decided, then sending and sent, or rejected, or failed with an error.',
      tag: TAG,
      scope: 'comments:read',
      params,
      query: atQuery,
      answer: { status: 200, description: 'The reply.', schema: replySchema },
      handle: async ({ params: { id }, query: { at }, caller }) => {
        const of = { projection: replies, kind: reply, noun: 'reply' }
        return { status: 200, body: shown(replySchema, await asItWas(services, of, await own(id, caller), at)) }
      },
    }),

    route({
      method: 'POST',
      path: `${ONE}/approve`,
      operationId: 'approveReply',
      summary: 'Send a reply as drafted or edited',
      description:
        'It is published immediately. If given, editedText is sent instead of the draft. Refused with ' +
        'failed_precondition if it has already been sent, or if the comment has received a reply since the draft. Where ' +
        'replies need approval, it takes approvals:decide, and where everyone needs it, nobody approves their own words.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'comments:write',
      params,
      body: approveBody,
      idempotent: true,
      answer: { status: 200, description: 'The reply. Sending may still be in progress.', schema: replySchema },
      handle: async (request) => {
        const editedText = request.body?.editedText
        const row = await own(request.params.id, request.caller)
        mustFit(row, editedText, 'editedText')
        const { caller } = request
        const isBound = await asksApproval(services, caller, [row.accountId])
        if (isBound && !caller.scopes.includes('approvals:decide')) {
          throw new Refusal(
            'forbidden',
            'Replies of this account need the approval of somebody else. Edit it until then.',
          )
        }
        if (isUndecided(await load(services.log, reply, row.id))) {
          await mustBeOnlyReply(row)
          const stream = commentStreamId(row.accountId, row.commentId)
          await claimForDraft(services, stream, row.id, causeOf(request, row.id))
        }
        const uses = {
          replies: () => 1,
          usd: async () => {
            const account = await findAccount(db, row.accountId)
            return account ? services.prices.ofReply(account, editedText ?? row.draft ?? '') : 0
          },
        }
        return withinBudgets(services, request, row.id, uses, () =>
          change(
            request,
            (state) => approveReply(state, editedText, isBound ? caller.actor : undefined),
            ({ status }) => status !== 'sending',
          ),
        )
      },
    }),

    route({
      method: 'POST',
      path: `${ONE}/reject`,
      operationId: 'rejectReply',
      summary: 'Discard a reply without sending it',
      description: 'It can no longer be approved.',
      effect: 'overwrites',
      mayConflict: true,
      tag: TAG,
      scope: 'comments:write',
      params,
      answer: { status: 200, description: 'The rejected reply. It is not sent.', schema: replySchema },
      handle: async (request) => {
        await own(request.params.id, request.caller)
        return change(request, rejectReply)
      },
    }),

    route({
      method: 'POST',
      path: `${ONE}/regenerate`,
      operationId: 'regenerateReply',
      summary: 'Have the AI revise a draft',
      description: 'context says what to change. The previous draft is replaced; nothing is sent.',
      effect: 'overwrites',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'comments:write',
      params,
      body: regenerateBody,
      idempotent: true,
      answer: { status: 200, description: 'The reply with its new draft.', schema: replySchema },
      handle: async (request) => {
        const { accountId } = await own(request.params.id, request.caller)
        const instruction = (await findAccount(db, accountId))?.automation.instruction ?? ''
        const revision = { instruction, context: request.body.context }
        return change(
          request,
          (state) => regenerateDraft(state, revision),
          ({ drafting }) => !drafting,
        )
      },
    }),

    route({
      method: 'PATCH',
      path: ONE,
      operationId: 'editReply',
      summary: 'Overwrite a draft without sending it',
      description: 'The previous draft is replaced. approveReply sends the new one.',
      mayConflict: true,
      tag: TAG,
      scope: 'comments:write',
      params,
      body: editBody,
      answer: { status: 200, description: 'The reply with its new draft.', schema: replySchema },
      handle: async (request) => {
        mustFit(await own(request.params.id, request.caller), request.body.text, 'text')
        return change(request, (state) => editDraft(state, request.body.text))
      },
    }),
  ]
}
