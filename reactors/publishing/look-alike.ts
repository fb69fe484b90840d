import { isForgotten } from '../../domain/core/forgotten.ts'
import type { PostType } from '../../domain/core/platform.ts'
import type { TargetState } from '../../domain/post/post.ts'
import type { ListedPost, Platform } from '../../platforms/kit/platform.ts'
import { conclusiveAt } from '../platform-calls/visible-call.ts'

/*
 * Look-alike posts: posts of one account with the same text, where only the text tells them apart. Pure. Times are ms since the
 * epoch where they are numbers, else ISO 8601 UTC.
 */

/** A response that takes longer (ms) may never come. */
const SLOW_MS = 5_000
/** How late (ms) a search for a post may start. */
export const LOOKED_FOR_WITHIN_MS = 60_000
/** Largest assumed difference (ms) between the platform's clock and ours. */
const CLOCKS_APART_MS = 60_000

/** When a post may have been created. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A look-alike whose call was or may have been made, with an unknown outcome. */
export interface LookAlike extends Span {
  /** When it will be searched for; undefined if it no longer will be. */
  readonly lookAt: number | undefined
  /** Whether its response was lost, or is long overdue. */
  readonly isUnanswered: boolean
}

/** @returns undefined for a post that is published, has surely failed, or was not sent yet */
export function lookAlikeOf(
  platform: Platform,
  { queuedAt, mediaType }: { readonly queuedAt: string; readonly mediaType: PostType },
  target: TargetState,
  now: number,
): LookAlike | undefined {
  const isOpen = target.step === 'submitted'
  if (!isOpen && !(target.step === 'failed' && target.code === 'unknown')) return undefined
  const { submission } = target
  if (!submission) return { from: -Infinity, to: Infinity, lookAt: undefined, isUnanswered: false }
  const sentAt = Date.parse(submission.at)
  const span = {
    // An earlier call, or one missing from the log, may have been made at any time since the post was queued.
    from: (submission.attempt === 1 && !isForgotten(submission) ? sentAt : Date.parse(queuedAt)) - CLOCKS_APART_MS,
    to: lastMadeAt(platform, submission.at),
  }
  if (!isOpen) return { ...span, lookAt: undefined, isUnanswered: false }
  // A post that the platform has accepted is known by its handle, and a repeatable call is not searched for.
  const isSearched = platform.proof[mediaType] === 'searchable' && !submission.taken
  const askedAgainAt = target.askedAgainAt === undefined ? 0 : Date.parse(target.askedAgainAt)
  return {
    ...span,
    lookAt: Math.max(conclusiveAt(submission.at, platform), askedAgainAt),
    isUnanswered: isSearched && (target.lost !== undefined || now > sentAt + SLOW_MS),
  }
}

/** The latest creation time of a post whose call was allowed at `submittedAt`, by the platform's clock. */
export function lastMadeAt(platform: Platform, submittedAt: string): number {
  return conclusiveAt(submittedAt, platform) + CLOCKS_APART_MS
}

/** Whether the search for it will take place soon. */
export function isSoonKnown({ lookAt }: LookAlike, now: number): boolean {
  return lookAt !== undefined && now < lookAt + LOOKED_FOR_WITHIN_MS
}

export function couldBe({ createdAt }: ListedPost, { from, to }: Span): boolean {
  return createdAt === undefined || (from <= createdAt && createdAt <= to)
}
