import { isForgotten } from '../../domain/core/forgotten.ts'
import type { QueuedPost, TargetState } from '../../domain/post/post.ts'
import type { ListedPost, Platform } from '../../platforms/kit/platform.ts'
import { conclusiveAt } from '../platform-calls/visible-call.ts'

/*
 * Posts of one account that say the same, where only that tells which is which. Pure. Times are ms since the epoch where they are
 * numbers, else ISO 8601 UTC.
 */

/** An answer that takes longer (ms) may never come. */
const SLOW_MS = 5_000
/** How late (ms) a post may be looked for. */
export const LOOKED_FOR_WITHIN_MS = 60_000
/** What the platform's clock and ours may differ by (ms). */
const CLOCKS_APART_MS = 60_000

/** When a post can have been made. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A post whose call was made, or may have been, with nobody knowing what came of it. */
export interface Rival extends Span {
  /** When it is looked for; undefined when nobody will any more. */
  readonly lookAt: number | undefined
  /** Whether its answer was lost, or has not come for long. */
  readonly isUnanswered: boolean
}

/** @returns undefined for what is published, surely failed, or not sent yet */
export function rivalOf(
  platform: Platform,
  { queuedAt, mediaType }: QueuedPost,
  target: TargetState,
  now: number,
): Rival | undefined {
  const isOpen = target.step === 'submitted'
  if (!isOpen && !(target.step === 'failed' && target.code === 'unknown')) return undefined
  const { submission } = target
  if (!submission) return { from: -Infinity, to: Infinity, lookAt: undefined, isUnanswered: false }
  const sentAt = Date.parse(submission.at)
  const span = {
    // A call before this one, or one that is forgotten, may have been made at any time since it was queued.
    from: (submission.attempt === 1 && !isForgotten(submission) ? sentAt : Date.parse(queuedAt)) - CLOCKS_APART_MS,
    to: lastMadeAt(platform, submission.at),
  }
  if (!isOpen) return { ...span, lookAt: undefined, isUnanswered: false }
  // What the platform has taken is known by what it gave, and what may be repeated is not looked for.
  const isSearched = platform.proof[mediaType] === 'searchable' && !submission.taken
  const askedAgainAt = target.askedAgainAt === undefined ? 0 : Date.parse(target.askedAgainAt)
  return {
    ...span,
    lookAt: Math.max(conclusiveAt(submission.at, platform), askedAgainAt),
    isUnanswered: isSearched && (target.lost !== undefined || now > sentAt + SLOW_MS),
  }
}

/** The latest time that the platform can give a post whose call was allowed at `submittedAt`. */
export function lastMadeAt(platform: Platform, submittedAt: string): number {
  return conclusiveAt(submittedAt, platform) + CLOCKS_APART_MS
}

/** Whether it will have been looked for before long. */
export function isSoonKnown({ lookAt }: Rival, now: number): boolean {
  return lookAt !== undefined && now < lookAt + LOOKED_FOR_WITHIN_MS
}

export function couldBe({ createdAt }: ListedPost, { from, to }: Span): boolean {
  return createdAt === undefined || (from <= createdAt && createdAt <= to)
}
