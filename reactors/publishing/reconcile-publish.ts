import type { TargetState } from '../../domain/post/post.ts'
import { isForgotten } from '../../domain/core/forgotten.ts'
import type { PlatformError } from '../../platforms/kit/platform.ts'
import { findByContent } from './find-by-content.ts'
import { answerOf } from '../platform-calls/platform-failure.ts'
import {
  accepted,
  answerLost,
  call,
  deferred,
  failed,
  NOBODY_HEARD,
  proofOf,
  published,
  publishTimeout,
  type PublishWork,
} from './publish-guard.ts'
import { park, type WorkResult } from '../runtime/reactor.ts'
import {
  CALL_TIMEOUT_MS,
  conclusiveAt,
  isFinal,
  LOOK_AGAIN_MS,
  lookedForUntil,
  unknownOutcome,
} from '../platform-calls/visible-call.ts'

type Submitted = Extract<TargetState, { step: 'submitted' }>

/** Reconciles a visible call that was or may have been made, and whose response was lost. */
export async function reconcile(work: PublishWork, target: Submitted): Promise<WorkResult> {
  const { access, clock, job, platform, signal } = work
  const { submission } = target
  const attempt = { ...work.key, attempt: submission.attempt }
  if (isForgotten(submission)) return reconcileForgotten(work, target)

  const proof = proofOf(work)
  if (proof === 'idempotent-key') {
    const answer = await call(work, submission, publishTimeout(platform))
    if (answer.ok) return accepted(work, attempt, answer.value, true)
    const { failure } = answer
    switch (failure.kind) {
      case 'permanent':
      case 'forbidden':
        return failed(work, attempt, 'submitted', 'permanent', failure.message)
      case 'needs-reauth':
        // The first call may have succeeded; once the account is reconnected, a retry uses the same handle.
        return failed(work, attempt, 'submitted', 'unknown', unknownOutcome('post', failure.message))
      case 'retryable':
        // Prepare again: the platform has certainly not accepted it.
        return failure.startOver ? deferred(work, attempt, 'submitted', failure) : lookAgain(work, target, failure)
      case 'ambiguous':
        return lookAgain(work, target, failure)
    }
  }

  const { find } = platform
  if (proof === 'opaque' || !find) return unconfirmed(work, target, 'The platform offers no way to look it up.')
  const conclusive = clock.now() >= conclusiveAt(submission.at, platform)
  // With a handle from the platform, there is no need to wait until the post is visible.
  if (proof === 'searchable' && !conclusive && !submission.taken) {
    const lookAt = conclusiveAt(submission.at, platform)
    return target.lost === undefined
      ? answerLost(work, attempt, { message: NOBODY_HEARD }, submission, lookAt)
      : park(lookAt)
  }
  const search = await answerOf(work, () =>
    access.run(job.account, CALL_TIMEOUT_MS, signal, (io) => find(job, submission.handle, io, work.others(submission))),
  )
  if (!search.ok) {
    const { kind, message } = search.failure
    return isFinal(kind)
      ? failed(work, attempt, 'submitted', 'unknown', unknownOutcome('post', message))
      : lookAgain(work, target, search.failure)
  }
  switch (search.value.outcome) {
    case 'found':
      return published(work, attempt, search.value.found, !submission.taken)
    case 'processing':
      return park(clock.now() + search.value.lookAgainMs)
    case 'absent':
      return conclusive
        ? deferred(work, attempt, 'submitted', {
            message: `${target.lost ?? NOBODY_HEARD} The post is not on the platform.`,
          })
        : park(conclusiveAt(submission.at, platform))
    case 'refused':
      return failed(work, attempt, 'submitted', 'permanent', search.value.error)
    case 'unknown':
      return unconfirmed(work, target, 'The platform cannot confirm whether it was published.')
  }
}

/** The log was restored from a backup that ends before the call, so only its content can identify the post. */
async function reconcileForgotten(work: PublishWork, target: Submitted): Promise<WorkResult> {
  const { submission } = target
  const attempt = { ...work.key, attempt: submission.attempt }
  const search = await findByContent({ ...work, others: work.others(submission) }, Date.parse(work.job.queuedAt))
  if (!search) return unconfirmed(work, target, 'The platform offers no way to look it up.')
  if (!search.ok) return lookAgain(work, target, search.failure)
  switch (search.value.outcome) {
    case 'found':
      return published(work, attempt, search.value.found, true)
    case 'absent':
      return deferred(work, attempt, 'submitted', { message: 'The post is not on the platform.' })
    case 'unknown':
      return unconfirmed(work, target, 'The platform cannot confirm whether it was published.')
  }
}

function lookAgain(work: PublishWork, target: Submitted, failure: PlatformError): Promise<WorkResult> | WorkResult {
  const now = work.clock.now()
  // A slow upload may run for long before there is anything to find.
  const until = lookedForUntil(target.askedAgainAt ?? target.submission.at, work.platform)
  if (now < until) return park(Math.min(now + Math.max(LOOK_AGAIN_MS, failure.retryAfterMs ?? 0), until))
  const attempt = { ...work.key, attempt: target.submission.attempt }
  return failed(work, attempt, 'submitted', 'unknown', unknownOutcome('post', failure.message))
}

/** The outcome cannot be determined. Send again only if a user, knowing that, has retried. */
function unconfirmed(work: PublishWork, target: Submitted, why: string): Promise<WorkResult> {
  const attempt = { ...work.key, attempt: target.submission.attempt }
  return target.askedAgainAt === undefined
    ? failed(work, attempt, 'submitted', 'unknown', unknownOutcome('post', [why, target.lost ?? ''].join(' ').trim()))
    : deferred(work, attempt, 'submitted', { message: why })
}
