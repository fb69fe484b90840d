import type { Actor, Metadata } from '../core/event.ts'
import type { PostEvent } from './post-events.ts'
import type { Due, PostContent } from './post.ts'

/** `held`: its time passed before somebody approved it. */
export const APPROVAL_STATUSES = ['awaiting_approval', 'approved', 'changes_requested', 'rejected', 'held'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** Who reviews a post. A guest has the id of the link that they followed, and is called what they call themselves. */
export type Reviewer = Actor | { readonly kind: 'guest'; readonly id: string; readonly label?: string }

/** What somebody said about a post; with a decision, if it explains one. `at` is ISO 8601 UTC. */
export interface Remark {
  readonly by: Reviewer
  readonly at: string
  readonly text?: string | undefined
  readonly decision?: Extract<PostEvent, { type: 'ApprovalDecided' }>['data']['decision']
}

/** What a post was to be. */
export interface PostVersion {
  readonly content: PostContent
  readonly due: Due
}

/** With which a guest reviews a post. `expiresAt` is ISO 8601 UTC. */
export interface ReviewLink {
  readonly linkId: string
  readonly label: string
  /** Otherwise they can only comment. */
  readonly mayDecide: boolean
  readonly expiresAt: string
  readonly madeBy: Actor
  readonly isRevoked?: true
}

/** Whether a scheduled post may be published. `requestedAt` and `decidedAt` are ISO 8601 UTC. */
export interface Approval {
  readonly status: ApprovalStatus
  readonly publishes: Extract<PostEvent, { type: 'ApprovalRequested' }>['data']['publishes']
  /** From 1; every edit is another one. */
  readonly version: number
  readonly requestedBy: Actor
  readonly requestedAt: string
  readonly decidedBy?: Reviewer
  readonly decidedAt?: string
  readonly remarks: readonly Remark[]
  readonly links: readonly ReviewLink[]
  /** What the post was at the last decision, or when approval was first requested, if it was edited since. */
  readonly base?: PostVersion
}

export function isOpenApproval({ status }: Approval): boolean {
  return status !== 'approved' && status !== 'rejected'
}

/** Who caused an event of a post. */
export function reviewerOf(event: PostEvent, actor: Actor): Reviewer {
  if (event.type !== 'ApprovalDecided' && event.type !== 'ApprovalCommented') return actor
  const { linkId: id, guest: label } = event.data
  return id === undefined ? actor : { kind: 'guest', id, ...(label !== undefined && { label }) }
}

/** @param now ms since the epoch */
export function openLinks({ links }: Approval, now: number): readonly ReviewLink[] {
  return links.filter(({ isRevoked, expiresAt }) => !isRevoked && now < Date.parse(expiresAt))
}

/** @param before what the post was before the event */
export function evolveApproval(
  approval: Approval | undefined,
  event: PostEvent,
  { actor, at }: Metadata,
  before: () => PostVersion,
): Approval | undefined {
  if (event.type === 'ApprovalRequested') {
    const { decidedBy: _, decidedAt: __, ...kept } = approval ?? { version: 1, remarks: [], links: [] }
    const { publishes } = event.data
    return { ...kept, status: 'awaiting_approval', publishes, requestedBy: actor, requestedAt: at }
  }
  if (!approval) return undefined
  const by = reviewerOf(event, actor)
  switch (event.type) {
    case 'PostEdited':
    case 'PostRescheduled':
      return { ...approval, version: approval.version + 1, base: approval.base ?? before() }
    case 'ApprovalDecided': {
      const { decision, comment: text } = event.data
      const { base: _, ...rest } = approval
      const remarks = [...approval.remarks, { by, at, decision, ...(text !== undefined && { text }) }]
      // Once it is approved, it has a time, also if the approval is taken back.
      const publishes = decision === 'approved' ? 'at_time' : approval.publishes
      return { ...rest, status: decision, publishes, decidedBy: by, decidedAt: at, remarks }
    }
    case 'ApprovalCommented':
      return { ...approval, remarks: [...approval.remarks, { by, at, text: event.data.comment }] }
    case 'PostHeld':
      return { ...approval, status: 'held' }
    case 'ReviewLinkCreated': {
      const { workspaceId: _, secretHash: __, ...link } = event.data
      const others = approval.links.filter(({ linkId }) => linkId !== link.linkId)
      return { ...approval, links: [...others, { ...link, madeBy: actor }] }
    }
    case 'ReviewLinkRevoked': {
      const { linkId } = event.data
      const links = approval.links.map((link) =>
        link.linkId === linkId ? { ...link, isRevoked: true as const } : link,
      )
      return { ...approval, links }
    }
    default:
      return approval
  }
}
