import { Refusal } from '../domain/core/errors.ts'
import type { Actor } from '../domain/core/event.ts'
import type { Approval } from '../domain/post/approval.ts'
import type { Due, PostState, ScheduledPost } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { dueAtMoment } from '../domain/post/wall-time.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { mustBeAhead, mustBePending } from './schedule-post.ts'

/** The most remarks about one post. */
const MAX_REMARKS = 200

type Decided = Extract<PostEvent, { type: 'ApprovalDecided' }>['data']
type Reviewed = ScheduledPost & { readonly approval: Approval }

interface Approve {
  /** That was looked at. */
  readonly version: number
  readonly comment?: string | undefined
  /** When to publish it. Absent: as planned. */
  readonly due?: Due | 'now' | undefined
  /** Who may not approve what they requested themselves. */
  readonly except?: Actor | undefined
}

/** Now, in a zone; `undoable`: when a post goes out that is published at once. */
export type ApprovalTimes = (timezone: string, what?: 'undoable') => Due

/** @param now ms since the epoch @param undoMs how long a post that is published at once can be taken back first */
export function approvalTimes(now: number, undoMs: number): ApprovalTimes {
  return (timezone, what) => dueAtMoment(isoTime(what ? now + undoMs : now), timezone)
}

/**
 * Approves a post, which is then published at its time. Approving it again is a no-op.
 *
 * @throws Refusal as `reject`; forbidden to those who requested it; failed_precondition when it was edited since, or when
 *   its time has passed
 */
export function approve(state: PostState, request: Approve, at: ApprovalTimes): readonly PostEvent[] {
  const { approval, due: planned, content } = mustHaveApproval(state)
  if (approval.status === 'approved') return []
  const { version, comment, except } = request
  if (except?.id === approval.requestedBy.id) {
    throw new Refusal('forbidden', 'You cannot approve your own post: somebody else has to.')
  }
  if (version !== approval.version) {
    throw new Refusal(
      'failed_precondition',
      `The post is at version ${approval.version}, not ${version}. Look at it again, and approve version ${approval.version}.`,
    )
  }
  const now = at(planned.timezone)
  const wanted = request.due ?? (approval.publishes === 'on_approval' ? 'now' : planned)
  const soonest = at(planned.timezone, 'undoable')
  const due = wanted === 'now' ? soonest : wanted
  if (due === planned && due.dueAt <= now.dueAt) {
    throw new Refusal(
      'failed_precondition',
      `The time of the post, ${due.dueAt}, has passed. Set scheduledFor to "now", "next-slot" or a later time.`,
    )
  }
  if (due !== soonest) mustBeAhead(due, Date.parse(now.dueAt), 'scheduledFor')
  return [
    ...(due === planned ? [] : [{ type: 'PostRescheduled', data: due } as const]),
    decided(content.workspaceId, approval, { decision: 'approved', dueAt: due.dueAt, comment }),
  ]
}

/** @throws Refusal not_found; failed_precondition when the post is being published, was cancelled, or has too many comments */
export function requestChanges(state: PostState, comment: string): readonly PostEvent[] {
  const { content, due, approval } = mustHaveRoom(state)
  return [decided(content.workspaceId, approval, { decision: 'changes_requested', dueAt: due.dueAt, comment })]
}

/** Cancels the post. @throws Refusal not_found; failed_precondition when it is being published, or was cancelled */
export function reject(state: PostState, comment: string | undefined): readonly PostEvent[] {
  const { content, due, approval } = mustHaveApproval(state)
  const { dueAt } = due
  return [
    decided(content.workspaceId, approval, { decision: 'rejected', dueAt, comment }),
    { type: 'ScheduleCancelled', data: {} },
  ]
}

/** @throws Refusal as `requestChanges` */
export function comment(state: PostState, text: string): readonly PostEvent[] {
  const { workspaceId } = mustHaveRoom(state).content
  return [{ type: 'ApprovalCommented', data: { workspaceId, comment: text } }]
}

function decided(
  workspaceId: string,
  { requestedBy }: Approval,
  { comment, ...decision }: Pick<Decided, 'decision' | 'dueAt'> & { readonly comment: string | undefined },
): PostEvent {
  const data = { workspaceId, requestedBy, ...decision, ...(comment !== undefined && { comment }) }
  return { type: 'ApprovalDecided', data }
}

/** A post can always be approved or rejected. */
function mustHaveRoom(state: PostState): Reviewed {
  const post = mustHaveApproval(state)
  if (post.approval.remarks.length < MAX_REMARKS) return post
  throw new Refusal('failed_precondition', `A post has at most ${MAX_REMARKS} comments.`)
}

/** @throws Refusal as `requestChanges` */
export function mustHaveApproval(state: PostState): Reviewed {
  const post = mustBePending(state)
  if (post.approval) return { ...post, approval: post.approval }
  throw new Refusal('not_found', 'Nobody has requested approval of this post.')
}
