import type { FirstCommentState, Handle, PostState, TargetKey } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { finished } from './finish-post.ts'
import { ownerOf, targetState, type Attempt } from './publish-attempt.ts'
import { shortened } from './shortened.ts'
import { Superseded } from './superseded.ts'

/* The write-ahead guard of the first comment: as for the post, but starting is the last write before the visible call. */

/** Records the platform's handle while it is processing, and when to check again (ms since the epoch). */
export function firstCommentProgressed(
  state: PostState,
  { platform, accountId }: TargetKey,
  handle: Handle,
  lookAt: number,
): readonly PostEvent[] {
  if (firstCommentState(state, { platform, accountId })?.step !== 'queued') throw new Superseded()
  const data = { platform, accountId, ...ownerOf(state), handle, lookAt: isoTime(lookAt) }
  return [{ type: 'FirstCommentProgressed', data }]
}

export function startFirstComment(state: PostState, key: TargetKey): readonly PostEvent[] {
  const comment = firstCommentState(state, key)
  if (comment?.step !== 'queued') throw new Superseded()
  return [{ type: 'FirstCommentStarted', data: { ...key, attempt: comment.attempts + 1 } }]
}

/**
 * @param posted the comment where it is a post of its own
 * @param text what was sent, if it is known
 */
export function firstCommentPosted(
  state: PostState,
  attempt: Attempt,
  posted: { readonly postId: string } | undefined,
  text?: string,
): readonly PostEvent[] {
  mustBeStarted(state, attempt)
  const known = { ...ownerOf(state), ...(posted && { postId: posted.postId }), ...(text !== undefined && { text }) }
  return finished(state, [{ type: 'FirstCommentPosted', data: { ...attempt, ...known } }])
}

export function firstCommentFailed(state: PostState, attempt: Attempt, error: string): readonly PostEvent[] {
  mustBeStarted(state, attempt)
  return finished(state, [{ type: 'FirstCommentFailed', data: { ...attempt, ...shortened({ error }) } }])
}

export function deferFirstComment(
  state: PostState,
  attempt: Attempt,
  failure: { readonly error: string; readonly retryAfterMs?: number | undefined },
  policy: AttemptPolicy,
  now: number,
): readonly PostEvent[] {
  const { attempts } = mustBeStarted(state, attempt)
  const retryAt = nextAttemptAt(policy, attempts, now, failure.retryAfterMs)
  if (retryAt === undefined) return firstCommentFailed(state, attempt, failure.error)
  return [{ type: 'FirstCommentDeferred', data: { ...attempt, ...shortened({ error: failure.error }), retryAt } }]
}

export function firstCommentState(state: PostState, key: TargetKey): FirstCommentState | undefined {
  const target = targetState(state, key)
  return target?.step === 'published' ? target.firstComment : undefined
}

function mustBeStarted(state: PostState, attempt: Attempt): Extract<FirstCommentState, { step: 'started' }> {
  const comment = firstCommentState(state, attempt)
  if (comment?.step !== 'started' || comment.attempt !== attempt.attempt) throw new Superseded()
  return comment
}
