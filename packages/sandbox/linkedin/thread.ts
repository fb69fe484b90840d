import { createHash } from 'node:crypto'
import type { LedgerComment } from '../ledger.ts'
import type { StandIn, StandInDeps } from '../stand-in.ts'
import { number } from './identity.ts'

/** A post is an activity, too, of another number; its comments are named after that. */
const APART = 402_626n
const COMMENT = /^urn:li:comment:\((?:urn:li:)?(activity:\d+),(\d+)\)$/
const POST = /^urn:li:(share|activity):(\d+)$/

/** What comments are written under: a page's post, a post that mentions a page, or a comment on one of these. */
export interface Target {
  /** URN of the activity that all of it belongs to. */
  readonly activity: string
  /** Of a post of the sandbox, and of what stands under it. */
  readonly postId?: string
  /** The comment, or the post that mentions a page. */
  readonly comment?: LedgerComment
}

/** @param urn of a post, also as an activity, or of a comment in the long or the short form */
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

/** @returns undefined for what is no URN of a comment */
export function partsOf(urn: string): { readonly activity: string; readonly id: string } | undefined {
  const [, activity, id] = COMMENT.exec(urn) ?? []
  return activity === undefined || id === undefined ? undefined : { activity: `urn:li:${activity}`, id }
}

/** There are two levels and no more: the id of the comment, or the mention, that an answer goes under. */
export function topOf({ id, inReplyTo }: LedgerComment): string {
  return inReplyTo !== undefined && partsOf(inReplyTo) ? inReplyTo : id
}

/** URN of who wrote it: LinkedIn tells no names. */
export function actorOf({ writtenBy, accountId, author }: LedgerComment): string {
  if (writtenBy === 'account') return accountId
  return `urn:li:person:${createHash('sha256').update(author).digest('base64url').slice(0, 10)}`
}

/** A mention is a post of its author's own. */
export const newComment: NonNullable<StandIn['newComment']> = ({ postId }, { ids }) => {
  const id = number(ids.token())
  return { id: postId === undefined ? `urn:li:share:${id}` : commentUrn(activityOf(postId), id) }
}
