import type { Actor, Metadata } from '../core/event.ts'
import type { PostEvent } from './post-events.ts'
import type { Due, PostContent } from './post.ts'

/** `held`: its time passed before somebody approved it. */
export const APPROVAL_STATUSES = ['awaiting_approval', 'approved', 'changes_requested', 'rejected', 'held'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** What somebody said about a post; with a decision, if it explains one. `at` is ISO 8601 UTC. */
export interface Remark {
  readonly by: Actor
  readonly at: string
  readonly text?: string | undefined
  readonly decision?: Extract<PostEvent, { type: 'ApprovalDecided' }>['data']['decision']
}

/** What a post was to be. */
export interface PostVersion {
  readonly content: PostContent
  readonly due: Due
}

/** Whether a scheduled post may be published. `requestedAt` and `decidedAt` are ISO 8601 UTC. */
export interface Approval {
  readonly status: ApprovalStatus
  readonly publishes: Extract<PostEvent, { type: 'ApprovalRequested' }>['data']['publishes']
  /** From 1; every edit is another one. */
  readonly version: number
  readonly requestedBy: Actor
  readonly requestedAt: string
  readonly decidedBy?: Actor
  readonly decidedAt?: string
  readonly remarks: readonly Remark[]
  /** What the post was at the last decision, or when approval was first requested, if it was edited since. */
  readonly base?: PostVersion
}

export function isOpenApproval({ status }: Approval): boolean {
  return status !== 'approved' && status !== 'rejected'
}

/** @param before what the post was before the event */
export function evolveApproval(
  approval: Approval | undefined,
  event: PostEvent,
  { actor: by, at }: Metadata,
  before: () => PostVersion,
): Approval | undefined {
  if (event.type === 'ApprovalRequested') {
    const { decidedBy: _, decidedAt: __, ...kept } = approval ?? { version: 1, remarks: [] }
    return { ...kept, status: 'awaiting_approval', publishes: event.data.publishes, requestedBy: by, requestedAt: at }
  }
  if (!approval) return undefined
  switch (event.type) {
    case 'PostEdited':
    case 'PostRescheduled':
      return { ...approval, version: approval.version + 1, base: approval.base ?? before() }
    case 'ApprovalDecided': {
      const { decision, comment: text } = event.data
      const { base: _, ...rest } = approval
      const remarks = [...approval.remarks, { by, at, decision, ...(text !== undefined && { text }) }]
      return { ...rest, status: decision, decidedBy: by, decidedAt: at, remarks }
    }
    case 'ApprovalCommented':
      return { ...approval, remarks: [...approval.remarks, { by, at, text: event.data.comment }] }
    case 'PostHeld':
      return { ...approval, status: 'held' }
    default:
      return approval
  }
}
