import { Refusal } from '../domain/core/errors.ts'
import type { Actor } from '../domain/core/event.ts'
import { openLinks } from '../domain/post/approval.ts'
import type { PostState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import type { ReviewSecret, ReviewSecrets } from '../domain/post/review-secrets.ts'
import { approve, type ApprovalTimes, comment, mustHaveApproval, reject, requestChanges } from './approval.ts'

/** The most links to one post that work at the same time. */
const MAX_LINKS = 10

export const GUEST_DECISIONS = ['approve', 'request-changes', 'reject', 'comment'] as const

/** What a guest says about a post. */
export interface GuestReview {
  readonly linkId: string
  /** What they call themselves. */
  readonly name: string
  /** That they looked at. */
  readonly version: number
  readonly decision: (typeof GUEST_DECISIONS)[number]
  readonly comment?: string | undefined
}

type Created = Extract<PostEvent, { type: 'ReviewLinkCreated' }>['data']

/**
 * Creates a link, in place of one with the same id.
 *
 * @param now ms since the epoch
 * @param except who may not have their own posts approved by others whom they choose
 * @throws Refusal as `requestChanges`; forbidden to those who requested the approval; resource_exhausted
 */
export function createReviewLink(
  state: PostState,
  link: Omit<Created, 'workspaceId'>,
  now: number,
  except?: Actor,
): readonly PostEvent[] {
  const { content, approval } = mustHaveApproval(state)
  if (link.mayDecide && except?.id === approval.requestedBy.id) {
    throw new Refusal('forbidden', 'You cannot share your own post to have it approved: somebody else has to.')
  }
  const others = openLinks(approval, now).filter(({ linkId }) => linkId !== link.linkId)
  if (others.length >= MAX_LINKS) {
    throw new Refusal('resource_exhausted', `A post has at most ${MAX_LINKS} open links. Revoke one first.`)
  }
  return [{ type: 'ReviewLinkCreated', data: { workspaceId: content.workspaceId, ...link } }]
}

/** Revoking twice is a no-op. @throws Refusal as `requestChanges`, or not_found */
export function revokeReviewLink(state: PostState, linkId: string): readonly PostEvent[] {
  const link = mustHaveApproval(state).approval.links.find((one) => one.linkId === linkId)
  if (!link) throw new Refusal('not_found', 'The post has no such link.')
  return link.isRevoked ? [] : [{ type: 'ReviewLinkRevoked', data: { linkId } }]
}

/** For a post that leaves its installation. */
export function revokeReviewLinks({ links, over }: ReviewSecrets): readonly PostEvent[] {
  if (over !== undefined) return []
  return links
    .filter(({ isRevoked }) => !isRevoked)
    .map(({ linkId }) => ({ type: 'ReviewLinkRevoked', data: { linkId } }))
}

/**
 * Decides on a post, or comments on it, by a link.
 *
 * @param isBound whether those who request approval may not give it
 * @throws Refusal failed_precondition when the post was edited since, its time has passed, or the link can no longer be used; forbidden
 */
export function reviewAsGuest(
  state: PostState,
  { linkId, name, version, decision, comment: text }: GuestReview,
  at: ApprovalTimes,
  isBound: boolean,
): readonly PostEvent[] {
  const { approval, due, content } = mustHaveApproval(state)
  const now = at(due.timezone)
  const link = openLinks(approval, Date.parse(now.dueAt)).find((one) => one.linkId === linkId)
  if (!link) throw new Refusal('failed_precondition', 'This link can no longer be used. Ask for another.')
  if (decision !== 'comment' && !link.mayDecide) throw new Refusal('forbidden', 'With this link, you can only comment.')
  if (version !== approval.version) {
    throw new Refusal('failed_precondition', 'The post was edited since you opened this page. Look at it again.')
  }
  const decided = (): readonly PostEvent[] => {
    switch (decision) {
      case 'approve':
        if (approval.status !== 'approved' && approval.publishes === 'at_time' && due.dueAt <= now.dueAt) {
          throw new Refusal(
            'failed_precondition',
            'The time of this post has passed. Ask for another time, then approve it.',
          )
        }
        return approve(state, { version, comment: text, ...(isBound && { except: link.madeBy }) }, at)
      case 'request-changes':
        return requestChanges(state, text ?? '')
      case 'reject':
        return reject(state, text)
      case 'comment':
        return comment(state, text ?? '')
    }
  }
  const { workspaceId } = content
  return decided().map((event) =>
    event.type === 'ApprovalDecided' || event.type === 'ApprovalCommented'
      ? ({ ...event, data: { ...event.data, workspaceId, linkId, guest: name } } as PostEvent)
      : event,
  )
}

/** @param now ms since the epoch @throws Refusal failed_precondition when the link can no longer be used, and why */
export function mustBeUsable({ isRevoked, expiresAt }: ReviewSecret, over: ReviewSecrets['over'], now: number): void {
  if (over !== undefined) throw new Refusal('failed_precondition', OVER[over])
  if (isRevoked) throw new Refusal('failed_precondition', 'This link was revoked. Ask for another.')
  if (now >= Date.parse(expiresAt)) {
    throw new Refusal('failed_precondition', 'This link has expired. Ask for another.')
  }
}

const OVER = {
  published: 'This post is being published, or has been published.',
  cancelled: 'This post was cancelled.',
  rejected: 'This post was rejected.',
}
