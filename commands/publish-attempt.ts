import { isQueued, targetId, type PostState, type TargetKey, type TargetState } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import type { PublishedPart } from '../domain/post/publish-result.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { nextAttemptAt, type AttemptPolicy } from './attempt-policy.ts'
import { finished } from './finish-post.ts'
import { shortened } from './shortened.ts'
import { Superseded } from './superseded.ts'

/*
 * The decisions of the write-ahead guard. Each names its attempt and is refused once the post has moved on, so a worker that
 * was presumed dead and comes back can no longer do anything.
 */

export type Attempt = TargetKey & { readonly attempt: number }
type FailureCode = Extract<TargetState, { step: 'failed' }>['code']
type Running = Extract<TargetState, { step: 'preparing' | 'submitted' }>
/**
 * The step that a worker was at. Workers that resume an attempt share its number: one that fails while preparing must not end
 * what another has since submitted.
 */
export type Stage = Running['step']

/** Claims the next attempt, also when the last worker crashed before anything visible could happen. */
export function startPublish(state: PostState, key: TargetKey): readonly PostEvent[] {
  const target = targetState(state, key)
  if (target?.step !== 'queued' && target?.step !== 'preparing') throw new Superseded()
  return [{ type: 'PublishStarted', data: { ...key, attempt: target.attempt + 1 } }]
}

/** Records the platform's handle while it is processing, and when to check again (ms since the epoch). */
export function publishProgressed(
  state: PostState,
  attempt: Attempt,
  stage: Stage,
  handle: Readonly<Record<string, unknown>>,
  lookAt: number,
): readonly PostEvent[] {
  mustBe(state, attempt, stage)
  return [{ type: 'PublishProgressed', data: { ...attempt, ...ownerOf(state), handle, lookAt: isoTime(lookAt) } }]
}

/** The last write before the visible call. */
export function publishPrepared(
  state: PostState,
  attempt: Attempt,
  handle: Readonly<Record<string, unknown>>,
): readonly PostEvent[] {
  mustBe(state, attempt, 'preparing')
  return [{ type: 'PublishPrepared', data: { ...attempt, ...ownerOf(state), handle } }]
}

/** Records that the visible call got no answer, when to look for the post, and until when (ms since the epoch). */
export function publishAnswerLost(
  state: PostState,
  attempt: Attempt,
  error: string,
  { lookAt, until }: { readonly lookAt: number; readonly until: number },
): readonly PostEvent[] {
  mustBe(state, attempt, 'submitted')
  const times = { lookAt: isoTime(lookAt), until: isoTime(until) }
  return [{ type: 'PublishAnswerLost', data: { ...attempt, ...shortened({ error }), ...times } }]
}

/**
 * What is live is recorded even if another worker has deferred the attempt meanwhile: it heard of its own call, and this one of
 * a repetition.
 */
export function accountPublished(
  state: PostState,
  attempt: Attempt,
  published: { readonly postId: string; readonly url?: string; readonly note?: string },
  hasFirstComment: boolean,
): readonly PostEvent[] {
  if (!isDeferred(targetState(state, attempt), attempt)) mustBe(state, attempt, 'submitted')
  const { postId, url, note } = published
  const part = { postId, ...(url !== undefined && { url }) }
  const further = { ...progressOf(state, attempt, part), ...(note !== undefined && { note }) }
  const events: PostEvent[] = [
    { type: 'AccountPublished', data: { ...attempt, ...ownerOf(state), ...part, ...further } },
  ]
  if (hasFirstComment) events.push({ type: 'FirstCommentQueued', data: attempt })
  return finished(state, events)
}

export function accountFailed(
  state: PostState,
  attempt: Attempt,
  stage: Stage,
  failure: { readonly code: FailureCode; readonly error: string },
): readonly PostEvent[] {
  mustBe(state, attempt, stage)
  const data = { ...attempt, ...progressOf(state, attempt), ...shortened(failure) }
  return finished(state, [{ type: 'AccountPublishFailed', data }])
}

/** Backs off after a transient failure, or gives up when the policy's attempts are used up. */
export function deferPublish(
  state: PostState,
  attempt: Attempt,
  stage: Stage,
  failure: { readonly error: string; readonly retryAfterMs?: number | undefined },
  policy: AttemptPolicy,
  now: number,
): readonly PostEvent[] {
  const target = mustBe(state, attempt, stage)
  const retryAt = nextAttemptAt(policy, target.attempts, now, failure.retryAfterMs)
  if (retryAt === undefined) return accountFailed(state, attempt, stage, { code: 'gave_up', error: failure.error })
  return [{ type: 'PublishDeferred', data: { ...attempt, ...shortened({ error: failure.error }), retryAt } }]
}

/** How much of a chain is published on an account. @param next the part published now */
function progressOf(
  state: PostState,
  key: TargetKey,
  ...next: readonly PublishedPart[]
): Pick<Extract<PostEvent, { type: 'AccountPublished' }>['data'], 'chain'> {
  if (!isQueued(state) || !state.chain) return {}
  const before = state.targets.get(targetId(key))?.published ?? []
  return { chain: { parts: 1 + state.chain.length, published: [...before, ...next] } }
}

/** Whose key encrypts what the platform returned. */
export function ownerOf(state: PostState): { readonly workspaceId?: string } {
  return isQueued(state) ? { workspaceId: state.workspaceId } : {}
}

export function targetState(state: PostState, key: TargetKey): TargetState | undefined {
  return isQueued(state) ? state.targets.get(targetId(key))?.state : undefined
}

/** With no attempts, it is the next part of a chain that is queued, or a user has retried. */
function isDeferred(target: TargetState | undefined, { attempt }: Attempt): boolean {
  return target?.step === 'queued' && target.attempt === attempt && target.attempts > 0
}

function mustBe(state: PostState, attempt: Attempt, stage: Stage): Running {
  const target = targetState(state, attempt)
  const running = target?.step === 'preparing' || target?.step === 'submitted' ? target : undefined
  if (running?.step !== stage || running.attempt !== attempt.attempt) throw new Superseded()
  return running
}
