import * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { findComments } from '../../../projections/models/comments.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import { replyWhen } from '../../kit/await-reply.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import { answers } from './answers.ts'
import { answerBody, commentSchema, ofAccount, replySchema } from './comment-schemas.ts'
import { presentComment, withContext } from './present-comment.ts'
import { mustHave, mustKeepRules } from './reply-rules.ts'

const TAG = 'Comments and replies'
const ONE = '/comments/{commentId}'
const params = z.object({ commentId: text(1000) })

/** One comment by its id on the platform: the service has everything else that a reply requires. */
export function oneCommentRoutes(services: Services): readonly AnyRoute[] {
  const { ownAccount, answer } = answers(services)

  /** @throws Refusal not_found, or invalid_request when several accounts have it */
  const own = async (commentId: string, accountId: string | undefined, { workspaceId }: Caller) => {
    const [row, other] = await findComments(services.db, { workspaceId, commentId, accountId })
    if (!row) throw new Refusal('not_found', 'No such comment.')
    if (!other) return row
    const accounts = `${row.accountId} and ${other.accountId}`
    throw new Refusal(
      'invalid_request',
      `accountId is required: several accounts have this comment, such as ${accounts}`,
    )
  }

  return [
    route({
      method: 'GET',
      path: ONE,
      operationId: 'getComment',
      summary: 'Get one comment',
      tag: TAG,
      scope: 'comments:read',
      params,
      query: z.object({ accountId: ofAccount }),
      answer: { status: 200, description: 'The comment.', schema: commentSchema },
      handle: async ({ params: { commentId }, query: { accountId }, caller }) => {
        const row = await own(commentId, accountId, caller)
        const [whole = row] = await withContext(services.db, row.workspaceId, [row])
        return { status: 200, body: presentComment(whole) }
      },
    }),

    route({
      method: 'POST',
      path: `${ONE}/reply`,
      operationId: 'answerComment',
      summary: 'Reply to a comment by its id alone',
      description:
        'Like replyToComment, which is for comments that are not known by their id alone. With text, this exact text is ' +
        'published immediately; with review as well, or if it needs approval, it waits in listPendingReplies until approveReply ' +
        'sends it. Without text, the AI writes a draft, which waits there.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'comments:write',
      params,
      body: answerBody,
      agentDefaults: { ifReplied: 'refuse' },
      idempotent: true,
      answer: {
        status: 200,
        description: 'The reply. Drafting or sending may still be in progress.',
        schema: replySchema,
      },
      handle: async (request) => {
        const { params, body, caller } = request
        const comment = await own(params.commentId, body.accountId, caller)
        const { platform, reference: references } = comment
        const { account, rules } = await ownAccount(comment.accountId, platform, caller)
        mustHave(rules, platform, references)
        const { text: directText, instruction, ifReplied, review } = body
        if (directText !== undefined) mustKeepRules(rules, directText, 'text')
        const answered = { account, comment, commentText: comment.text, references }
        const id = await answer(request, answered, { directText, instruction, ifReplied, review })
        const row = await replyWhen(services, id, ({ status, drafting }) => status !== 'sending' && !drafting)
        return { status: 200, body: shown(replySchema, row) }
      },
    }),
  ]
}
