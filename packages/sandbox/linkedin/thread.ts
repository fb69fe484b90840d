import { createHash } from 'node:crypto'
import type { LedgerComment } from '../ledger.ts'
import type { StandIn, StandInDeps } from '../stand-in.ts'
import { number } from './identity.ts'

/** A post also has an activity with another number; its comments are named after that activity. */
const APART = 402_626n
const COMMENT = /^urn:li:comment:\((?:urn:li:)?(activity:\d+),(\d+)\)$/
const POST = /^urn:li:(share|activity):(\d+)$/

/** Something that can be commented on: a page's post, a post that mentions a page, or a comment on one of these. */
export interface Target {
  /** URN of the activity that the whole thread belongs to. */
  readonly activity: string
  /** Set for a sandbox post and everything under it. */
  readonly postId?: string
  /** The comment, or the post that mentions a page. */
  readonly comment?: LedgerComment
}

/** @param urn of a post, also as an activity, or of a comment in the long or short form */
export function targetAt(urn: string, { ledger }: StandInDeps): Target | undefined {
  const named = partsOf(urn)
  if (named) {
    const { activity, id } = named
    const comment = ledger.comment('linkedin', commentUrn(activity, id))
    const postId = comment?.postId
    if (!comment || (postId !== undefined && !ledger.post('linkedin', postId))) return undefined
    return { activity, comment, ...(postId !== undefined && { postId }) }
  }
  const [, kind, digits = ''] = POST.exec(urn) ?? []
  if (kind === undefined) return undefined
  const share = `urn:li:share:${kind === 'share' ? digits : BigInt(digits) - APART}`
  const activity = activityOf(share)
  if (ledger.post('linkedin', share)) return { activity, postId: share }
  const comment = ledger.comment('linkedin', share)
  return comment && { activity, comment }
}

export function activityOf(share: string): string {
  return `urn:li:activity:${BigInt(share.slice(share.lastIndexOf(':') + 1)) + APART}`
}

export function commentUrn(activity: string, id: string): string {
  return `urn:li:comment:(${activity},${id})`
}

/** @returns undefined unless it is a comment's URN */
export function partsOf(urn: string): { readonly activity: string; readonly id: string } | undefined {
  const [, activity, id] = COMMENT.exec(urn) ?? []
  return activity === undefined || id === undefined ? undefined : { activity: `urn:li:${activity}`, id }
}

/** Threads have only two levels: returns the id of the comment, or the mention, that a reply goes under. */
export function topOf({ id, inReplyTo }: LedgerComment): string {
  return inReplyTo !== undefined && partsOf(inReplyTo) ? inReplyTo : id
}

/** URN of the author: LinkedIn returns no names. */
export function actorOf({ writtenBy, accountId, author }: LedgerComment): string {
  if (writtenBy === 'account') return accountId
  return `urn:li:person:${createHash('sha256').update(author).digest('base64url').slice(0, 10)}`
}

/** A mention is a post by its author. */
export const newComment: NonNullable<StandIn['newComment']> = ({ postId }, { ids }) => {
  const id = number(ids.token())
  return { id: postId === undefined ? `urn:li:share:${id}` : commentUrn(activityOf(postId), id) }
}
