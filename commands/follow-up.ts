import { isPlatformKey, PLATFORM_NAMES } from '../domain/core/platform.ts'
import { FOLLOW_UP_EVENTS, type FollowUp, type FollowUpState } from '../domain/post/follow-up.ts'
import { isQueued, targetId, type PostState, type TargetKey, type TargetState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { targetState, type Attempt } from './publish-attempt.ts'
import { shortened } from './shortened.ts'
import { Superseded } from './superseded.ts'

/* How deleting a published post from one account, or editing it there, goes on. */

/** The intent: the platform may have done it from here on. Repeating it is harmless, so another worker may take over. */
export function startFollowUp(state: PostState, what: FollowUp, key: TargetKey): readonly PostEvent[] {
  const asked = followUpState(state, what, key)
  if (asked?.step !== 'queued' && asked?.step !== 'started') throw new Superseded()
  return [{ type: FOLLOW_UP_EVENTS[what].started, data: { ...key, attempt: asked.attempt + 1 } }]
}

export function followUpDone(state: PostState, what: FollowUp, attempt: Attempt): readonly PostEvent[] {
  mustBeStarted(state, what, attempt)
  return [{ type: FOLLOW_UP_EVENTS[what].done, data: attempt }]
}

export function followUpFailed(
  state: PostState,
  what: FollowUp,
  attempt: Attempt,
  error: string,
): readonly PostEvent[] {
  mustBeStarted(state, what, attempt)
  return [{ type: FOLLOW_UP_EVENTS[what].failed, data: { ...attempt, ...shortened({ error }) } }]
}

/** Backs off after a transient failure, or gives up when the policy's attempts are used up. */
export function deferFollowUp(
  state: PostState,
  what: FollowUp,
  attempt: Attempt,
  failure: { readonly error: string; readonly retryAfterMs?: number | undefined },
  { policy, now }: { readonly policy: AttemptPolicy; readonly now: number },
): readonly PostEvent[] {
  const { attempts } = mustBeStarted(state, what, attempt)
  const retryAt = nextAttemptAt(policy, attempts, now, failure.retryAfterMs)
  if (retryAt === undefined) return followUpFailed(state, what, attempt, failure.error)
  const data = { ...attempt, ...shortened({ error: failure.error }), retryAt }
  return [{ type: FOLLOW_UP_EVENTS[what].deferred, data }]
}

/** There is no way on this account. @param why a sentence */
export function followUpUnsupported(
  state: PostState,
  what: FollowUp,
  attempt: Attempt,
  why: string,
): readonly PostEvent[] {
  mustBeStarted(state, what, attempt)
  const published = isQueued(state) ? state.targets.get(targetId(attempt))?.published : []
  return [unsupported(what, why, attempt, published?.[0]?.url)]
}

const YOURSELF: Readonly<Record<FollowUp, string>> = { unpublish: 'Delete it', edit: 'Edit it' }

/** @param why a sentence */
export function unsupported(
  what: FollowUp,
  why: string,
  { platform, accountId }: TargetKey,
  url: string | undefined,
): PostEvent {
  const yourself = `${YOURSELF[what]} on ${isPlatformKey(platform) ? PLATFORM_NAMES[platform] : platform} yourself`
  const error = `${why} ${yourself}${url === undefined ? '.' : `: ${url}`}`
  return { type: FOLLOW_UP_EVENTS[what].unsupported, data: { platform, accountId, ...shortened({ error }) } }
}

export function followUpState(state: PostState, what: FollowUp, key: TargetKey): FollowUpState | undefined {
  const target = targetState(state, key)
  return target && followUpOf(target, what)
}

export function followUpOf(target: TargetState, what: FollowUp): FollowUpState | undefined {
  if (target.step === 'published') return target[what]
  return target.step === 'failed' && what === 'unpublish' ? target.unpublish : undefined
}

function mustBeStarted(
  state: PostState,
  what: FollowUp,
  attempt: Attempt,
): Extract<FollowUpState, { step: 'started' }> {
  const asked = followUpState(state, what, attempt)
  if (asked?.step !== 'started' || asked.attempt !== attempt.attempt) throw new Superseded()
  return asked
}
