import type { Capability } from '../../domain/account/capability.ts'
import type { PostState, Submission, TargetKey, TargetState } from '../../domain/post/post.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import {
  accountFailed,
  accountPublished,
  deferPublish,
  publishAnswerLost,
  publishPrepared,
  publishProgressed,
  startPublish,
  targetState,
  type Attempt,
  type Stage,
} from '../../commands/publish-attempt.ts'
import { Superseded } from '../../commands/superseded.ts'
import type {
  OtherPosts,
  Platform,
  PlatformError,
  Processing,
  Proof,
  Published,
  PublishJob,
  PublishHandle,
  Publishing,
} from '../../platforms/kit/platform.ts'
import { answerOf, type Answer } from '../platform-calls/platform-failure.ts'
import type { PublishDeps } from './publish.ts'
import { DONE, park, type WorkResult } from '../runtime/reactor.ts'
import {
  CALL_TIMEOUT_MS,
  conclusiveAt,
  isFinal,
  LOOK_SOON_MS,
  lookedForUntil,
  unknownOutcome,
} from '../platform-calls/visible-call.ts'

/*
 * The write-ahead guard (design: "Touching the outside world"). Record the claim, do everything invisible, record the intent,
 * make the one visible call, record its outcome. An interrupted call is reconciled by looking on the platform, never by calling
 * again blindly.
 */

/** When the worker never reported back. */
export const NOBODY_HEARD = 'The response to the post was lost.'
/** Nothing visible happens during preparation, so it may take as long as a large video needs. */
const PREPARE_TIMEOUT_MS = 15 * 60_000

export type Decision = (state: PostState) => readonly PostEvent[]

/** One account of one post, as handled by one worker. */
export interface PublishWork extends PublishDeps {
  readonly key: TargetKey
  /** When the post was due, ISO 8601 UTC. */
  readonly dueAt: string
  readonly platform: Platform
  readonly job: PublishJob
  /** The look-alikes to consider when searching for the post of this call. */
  readonly others: (submission: Submission) => OtherPosts
  /** Until when (ms since the epoch) it has to wait for a look-alike; undefined when it may be published. */
  readonly lostAlikeUntil: () => Promise<number | undefined>
  readonly signal: AbortSignal
  /** Called for each failure of the platform, for what it says about the account. Default capability: publishing. */
  onFailure(failure: PlatformError, capability?: Capability): Promise<void>
  /** Called when the platform has done what was asked. Default capability: publishing. */
  onSuccess(capability?: Capability): Promise<void>
  /** Runs one decision against the post; `step` names it within this run. */
  decide(step: string, decision: Decision): Promise<PostState>
}

type Unsubmitted = Extract<TargetState, { step: 'queued' | 'preparing' }>

export async function attemptPublish(work: PublishWork, target: Unsubmitted): Promise<WorkResult> {
  const { access, key, platform, job, decide, signal } = work
  const waiting = await work.lostAlikeUntil()
  if (waiting !== undefined) return park(waiting)
  // Looking again at what the platform is processing does not start a new attempt.
  const attempt =
    target.step === 'preparing' && target.processing
      ? { ...key, attempt: target.attempt }
      : attemptOf(await decide('start', (post) => startPublish(post, key)), key)
  const prepared = await answerOf(work, () =>
    access.run(job.account, platform.prepareTimeoutMs ?? PREPARE_TIMEOUT_MS, signal, (io) =>
      platform.prepare(job, io, target.handle),
    ),
  )
  if (!prepared.ok) {
    const { failure } = prepared
    if (isFinal(failure.kind)) return failed(work, attempt, 'preparing', failure.kind, failure.message)
    return deferred(work, attempt, 'preparing', failure)
  }
  const { handle } = prepared.value
  if (prepared.value.outcome === 'processing') return processing(work, attempt, handle, target, prepared.value)
  // Check again: preparing may have taken long.
  const waitingNow = await work.lostAlikeUntil()
  if (waitingNow !== undefined) return park(waitingNow)
  const ready = targetState(await decide('prepared', (post) => publishPrepared(post, attempt, handle)), key)
  if (ready?.step !== 'submitted') throw new Superseded()
  return submit(work, ready.submission)
}

/** Records the handle only if it is new: ongoing processing needs no event. */
async function processing(
  work: PublishWork,
  attempt: Attempt,
  handle: PublishHandle,
  before: Unsubmitted,
  { lookAgainMs }: Processing,
): Promise<WorkResult> {
  const lookAt = work.clock.now() + lookAgainMs
  const known = before.step === 'preparing' && before.processing
  if (known && JSON.stringify(handle) === JSON.stringify(before.handle)) return park(lookAt)
  await work.decide('progressed', (post) => publishProgressed(post, attempt, 'preparing', handle, lookAt))
  return DONE
}

/** Makes the visible call, once. */
async function submit(work: PublishWork, submission: Submission): Promise<WorkResult> {
  const { clock, platform, key } = work
  const attempt = { ...key, attempt: submission.attempt }
  const left = Date.parse(submission.at) + publishTimeout(platform) - clock.now()
  // The worker that reconciles this call counts it as dead by now: making it could publish twice.
  if (left <= 0) return park(conclusiveAt(submission.at, platform))
  const answer = await call(work, submission, left)
  if (answer.ok) return accepted(work, attempt, answer.value)
  const { failure } = answer
  if (isFinal(failure.kind)) return failed(work, attempt, 'submitted', failure.kind, failure.message)
  if (failure.kind === 'retryable') return deferred(work, attempt, 'submitted', failure)
  switch (proofOf(work)) {
    case 'idempotent-key':
    case 'handle':
      return answerLost(work, attempt, failure, submission, clock.now() + LOOK_SOON_MS)
    case 'searchable':
      return answerLost(work, attempt, failure, submission, conclusiveAt(submission.at, platform))
    case 'opaque':
      return failed(work, attempt, 'submitted', 'unknown', unknownOutcome('post', failure.message))
  }
}

/** Records why the response was lost: the user sees it if the post is not found. */
export async function answerLost(
  work: PublishWork,
  attempt: Attempt,
  { message }: { readonly message: string },
  submission: Submission,
  lookAt: number,
): Promise<WorkResult> {
  const times = { lookAt, until: lookedForUntil(submission.at, work.platform) }
  await work.decide('lost', (post) => publishAnswerLost(post, attempt, message, times))
  return DONE
}

export function call(work: PublishWork, { handle }: Submission, timeoutMs: number): Promise<Answer<Publishing>> {
  const { access, job, platform, signal } = work
  return answerOf(work, () => access.run(job.account, timeoutMs, signal, (io) => platform.publish(job, handle, io)))
}

export function publishTimeout({ publishTimeoutMs = CALL_TIMEOUT_MS }: Platform): number {
  return publishTimeoutMs
}

export function proofOf({ platform, job }: PublishWork): Proof {
  return platform.proof[job.mediaType] ?? 'opaque'
}

export async function accepted(
  work: PublishWork,
  attempt: Attempt,
  answer: Publishing,
  reconciled = false,
): Promise<WorkResult> {
  if (answer.outcome === 'published') return published(work, attempt, answer.published, reconciled)
  const { handle, lookAgainMs } = answer
  const lookAt = work.clock.now() + lookAgainMs
  if (handle === undefined) return park(lookAt)
  await work.decide('taken', (post) => publishProgressed(post, attempt, 'submitted', handle, lookAt))
  return DONE
}

export async function published(
  work: PublishWork,
  attempt: Attempt,
  found: Published,
  reconciled: boolean,
): Promise<WorkResult> {
  const { clock, job } = work
  const hasFirstComment = job.firstComment !== undefined
  await work.decide('published', (post) => accountPublished(post, attempt, found, hasFirstComment))
  await work.onSuccess()
  const lateMs = clock.now() - Date.parse(work.dueAt)
  work.onPublished?.({ platform: job.account.platform, lateMs, reconciled })
  return DONE
}

export async function failed(
  { decide }: PublishWork,
  attempt: Attempt,
  stage: Stage,
  kind: 'permanent' | 'forbidden' | 'needs-reauth' | 'unknown',
  error: string,
): Promise<WorkResult> {
  const code = kind === 'needs-reauth' ? 'needs_reauth' : kind === 'unknown' ? kind : 'permanent'
  await decide('failed', (post) => accountFailed(post, attempt, stage, { code, error }))
  return DONE
}

export async function deferred(
  { decide, policy, clock }: PublishWork,
  attempt: Attempt,
  stage: Stage,
  failure: { readonly message: string; readonly retryAfterMs?: number | undefined },
): Promise<WorkResult> {
  const { message: error, retryAfterMs } = failure
  await decide('deferred', (post) => deferPublish(post, attempt, stage, { error, retryAfterMs }, policy, clock.now()))
  return DONE
}

export function attemptOf(state: PostState, key: TargetKey): Attempt {
  const target = targetState(state, key)
  if (target?.step !== 'preparing') throw new Superseded()
  return { ...key, attempt: target.attempt }
}
