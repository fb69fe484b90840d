import * as z from 'zod'
import { approve, approvalTimes, comment, reject, requestChanges } from '../../../commands/approval.ts'
import { text } from '../../../domain/core/text.ts'
import { post, type Due, type PostState } from '../../../domain/post/post.ts'
import type { PostEvent } from '../../../domain/post/post-events.ts'
import { dueAtMoment } from '../../../domain/post/wall-time.ts'
import { listApprovals } from '../../../projections/models/scheduled-posts.ts'
import { findApprovalPolicy } from '../../../projections/models/workspaces.ts'
import { route, type AnyRoute, type Caller, type RouteRequest } from '../../http/route.ts'
import { approvalPolicySchema } from '../../kit/approval-policy-schema.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { namesIn } from '../../kit/names.ts'
import type { Services } from '../../kit/services.ts'
import { undoMsOf } from '../../kit/undo.ts'
import { postFilters } from '../posts/post-filters.ts'
import { atNextSlot, NEXT_SLOT, releaseSlot } from '../slots/next-slot.ts'
import { accountsIn, asksApproval } from './asks-approval.ts'
import { approvalSchema, approvalsQuery, approveBody, rejectBody, remarkBody } from './approval-schemas.ts'
import { mustBePerson, ownApproval } from './own-approval.ts'
import { presentApproval } from './present-approval.ts'

const TAG = 'Approvals'
const ONE = '/approvals/{id}'
const params = z.object({ id: text(100) })

/** Posts that somebody else has to approve before they are published. */
export function approvalRoutes(services: Services): readonly AnyRoute[] {
  const { db, clock } = services
  const decide = decider(services, post)

  const own = (id: string, caller: Caller) => ownApproval(services, id, caller)
  const answer = async (id: string, caller: Caller) => ({
    status: 200,
    body: presentApproval(await own(id, caller), await namesIn(db, caller.workspaceId), clock.now()),
  })
  const change = async (
    request: RouteRequest<{ id: string }, unknown, unknown>,
    decision: (state: PostState) => readonly PostEvent[],
  ) => {
    const { id } = request.params
    await own(id, request.caller)
    await decide(request, id, decision)
    return answer(id, request.caller)
  }

  return [
    listRoute(services, {
      path: '/approvals',
      operationId: 'listApprovals',
      summary: 'List posts that await approval, soonest first',
      description: 'status shows others, such as those that were approved.',
      tag: TAG,
      scope: 'posts:read',
      query: approvalsQuery,
      plural: 'approvals',
      item: approvalSchema,
      fetch: async (page, { query: { status, author }, caller }) => {
        const rows = await listApprovals(db, page, status, postFilters({ author }, 's', 'due_at', caller.actor.id))
        const names = await namesIn(db, caller.workspaceId)
        return rows.flatMap(({ approval, ...row }) => (approval ? [{ row: { ...row, approval }, names }] : []))
      },
      present: ({ row, names }) => presentApproval(row, names, clock.now()),
      place: ({ row: { dueAt: at, id } }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: ONE,
      operationId: 'getApproval',
      summary: 'Get the approval of one post, even after it was decided',
      description: 'It has the id of the post. changes lists what was edited since the last decision.',
      tag: TAG,
      scope: 'posts:read',
      params,
      answer: { status: 200, description: 'The approval.', schema: approvalSchema },
      handle: async ({ params: { id }, caller }) => answer(id, caller),
    }),

    route({
      method: 'POST',
      path: `${ONE}/approve`,
      operationId: 'approvePost',
      summary: 'Approve a post as it is now',
      description:
        'It is published at its time; one without a time is published immediately. Refused with failed_precondition if it was ' +
        'edited since version, or if its time has passed and scheduledFor names no other. Where everyone needs approval, ' +
        'nobody approves their own. What a key with posts:propose handed in takes a person, not another key.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'approvals:decide',
      params,
      body: approveBody,
      idempotent: true,
      answer: { status: 200, description: 'The approved post.', schema: approvalSchema },
      handle: async (request) => {
        const { caller, body, params: of } = request
        const { version, comment, scheduledFor } = body
        const { id, workspaceId, selections, dueAt, authorId } = await own(of.id, caller)
        await mustBePerson(services, caller, authorId)
        const isBound = await asksApproval(services, caller, accountsIn(selections))
        const undoMs = await undoMsOf(services, caller)
        const save = async (due: Due | 'now' | undefined) =>
          decide(request, id, (state) =>
            approve(
              state,
              { version, comment, due, ...(isBound && { except: caller.actor }) },
              approvalTimes(clock.now(), undoMs),
            ),
          )
        const named =
          scheduledFor === undefined || scheduledFor === 'now' ? scheduledFor : dueAtMoment(scheduledFor, 'UTC')
        const after = await (scheduledFor === NEXT_SLOT
          ? atNextSlot(services, { id, workspaceId, selections }, save)
          : save(named))
        if (!('due' in after) || after.due.dueAt !== dueAt) await releaseSlot(db, { workspaceId, id, dueAt })
        return answer(id, caller)
      },
    }),

    route({
      method: 'POST',
      path: `${ONE}/request-changes`,
      operationId: 'requestChanges',
      summary: 'Ask the author to change a post',
      description: 'It is not published before it is approved. An approval can be taken back like this until its time.',
      effect: 'overwrites',
      mayConflict: true,
      tag: TAG,
      scope: 'approvals:decide',
      params,
      body: remarkBody,
      idempotent: true,
      answer: { status: 200, description: 'The post with the comment.', schema: approvalSchema },
      handle: async (request) => change(request, (state) => requestChanges(state, request.body.comment)),
    }),

    route({
      method: 'POST',
      path: `${ONE}/reject`,
      operationId: 'rejectPost',
      summary: 'Reject a post',
      description: 'It is cancelled, and cannot be approved any more. duplicatePost makes another one from it.',
      effect: 'overwrites',
      mayConflict: true,
      tag: TAG,
      scope: 'approvals:decide',
      params,
      body: rejectBody,
      idempotent: true,
      answer: { status: 200, description: 'The rejected post. It is not published.', schema: approvalSchema },
      handle: async (request) => change(request, (state) => reject(state, request.body?.comment)),
    }),

    route({
      method: 'POST',
      path: `${ONE}/comments`,
      operationId: 'commentOnApproval',
      summary: 'Comment on a post that awaits approval',
      description: 'Authors answer reviewers like this. It decides nothing.',
      mayConflict: true,
      tag: TAG,
      scope: 'approvals:write',
      params,
      body: remarkBody,
      idempotent: true,
      answer: { status: 200, description: 'The post with the comment.', schema: approvalSchema },
      handle: async (request) => change(request, (state) => comment(state, request.body.comment)),
    }),

    route({
      method: 'GET',
      path: '/approval-policy',
      operationId: 'getApprovalPolicy',
      summary: 'Get whose posts and replies need approval',
      description: 'Owners and managers set it in the dashboard, or fanfare approvals policy on the command line.',
      tag: TAG,
      scope: 'posts:read',
      answer: { status: 200, description: 'The policy.', schema: approvalPolicySchema },
      handle: async ({ caller }) => ({
        status: 200,
        body: (await findApprovalPolicy(db, caller.workspaceId)) ?? { who: 'nobody' },
      }),
    }),
  ]
}
