import { assignComment } from '../../../commands/comment.ts'
import { roleIn } from '../../../commands/member.ts'
import { comment, commentStreamId } from '../../../domain/conversation/comment.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { findAccount } from '../../../projections/models/accounts.ts'
import { findComment } from '../../../projections/models/comments.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import { decider } from '../../kit/decide.ts'
import { owned } from '../../kit/owned.ts'
import type { Services } from '../../kit/services.ts'
import { mayBeAssigned } from './assignees.ts'
import { assignBody, commentSchema } from './comment-schemas.ts'
import { presentComment, withContext } from './present-comment.ts'

/** Who is to see to a comment. */
export function assignCommentRoute(services: Services): AnyRoute {
  const { db, log } = services
  const decide = decider(services, comment)

  /** @throws Refusal not_found, failed_precondition */
  const mustBeAssignable = async (userId: string, workspaceId: string) => {
    const role = await roleIn(log, userId, workspaceId)
    if (role === undefined) throw new Refusal('not_found', 'assigneeId: no such user. GET /v1/users lists them.')
    if (mayBeAssigned(role)) return
    throw new Refusal(
      'failed_precondition',
      `assigneeId: the user is a ${role}, who cannot reply. Choose somebody else, or give the user another role.`,
    )
  }

  return route({
    method: 'POST',
    path: '/comments/assign',
    operationId: 'assignComment',
    summary: 'Assign a comment to a user, or to nobody',
    description:
      'To anybody in the workspace who may reply. Of several requests, the last one counts. When the user leaves the workspace or ' +
      'may no longer reply, the comment is assigned to nobody.',
    effect: 'overwrites',
    mayConflict: true,
    tag: 'Comments and replies',
    scope: 'comments:write',
    body: assignBody,
    answer: { status: 200, description: 'The comment.', schema: commentSchema },
    handle: async (request) => {
      const { body, caller } = request
      const { accountId, commentId, platform, assigneeId } = body
      owned(await findAccount(db, accountId), caller, 'account')
      if (assigneeId !== null) await mustBeAssignable(assigneeId, caller.workspaceId)
      const id = commentStreamId(accountId, commentId)
      await decide(request, id, (state) => assignComment(state, { ...caller, platform }, assigneeId))
      const row = owned(await findComment(db, id), caller, 'comment')
      const [whole = row] = await withContext(db, row.workspaceId, [row])
      return { status: 200, body: presentComment(whole) }
    },
  })
}
